import { arraysOf, type KernelArray, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { constantOf, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import {
  comparisonOf,
  type CountedLoop,
  countedLoops,
  statementsOf,
} from "../../../../language/cuda/body/loops";
import { compact, enclosing, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";

/**
 * A halving loop over a shared array: `for (int s = blockDim.x / 2; s > 0; s /= 2) { if (threadIdx.x < s)
 * a[threadIdx.x] += a[threadIdx.x + s]; __syncthreads(); }`.
 */
interface TreeReduction {
  readonly loop: CountedLoop;
  readonly array: KernelArray;
  readonly assignment: SyntaxNode;
  /** The element of the thread itself, where its value is read. */
  readonly own: SyntaxNode | undefined;
  readonly other: SyntaxNode;
}

const shuffled = new Set([
  "float",
  "int",
  "unsigned",
  "unsigned int",
  "double",
  "long long",
  "half",
  "__half",
]);

/**
 * Lets the last five steps of a tree reduction run inside one warp by shuffles: no barrier and no trip
 * through shared memory.
 */
export const shuffleTreeReduction = defineRule("cuda-shuffle-tree-reduction", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const loops = countedLoops(view.body).filter((loop) => halves(view, loop, threads));
  if (loops.length === 0) return not("no-pattern", "no loop halves its stride from half a block", view.line);
  if (threads === undefined) return isNot(block) ? block : not("launch", "the block is not known", view.line);
  if (threads < 64 || (threads & (threads - 1)) !== 0)
    return not("launch", `a block of ${threads} threads is no power of two of at least 64`, view.line);
  return loops.map((loop) => {
    const tree = treeReduction(view, loop);
    return isNot(tree) ? tree : proposalFor(input, entry, { view, tree, threads });
  });
});

interface Place {
  readonly view: KernelView;
  readonly tree: TreeReduction;
  readonly threads: number;
}

function proposalFor(input: RuleInput, entry: RuleEntry, { view, tree, threads }: Place): RuleAnswer {
  const { loop, array } = tree;
  const held = usedAfter(view, array, loop);
  if (held !== undefined) return held;
  const type = view.model.types.get(array.type) ?? array.type;
  if (!shuffled.has(type)) return not("type", `${array.type} cannot be shuffled`, array.declaration);
  const counts = countsOf(input, loop.loop);
  if (counts.barriers < threshold(entry, "barriersLeast"))
    return not("no-evidence", "no barrier was counted in the loop", loop.loop);
  const steps = Math.log2(threads);
  const facts = {
    file: input.file,
    line: lineOf(loop.loop),
    counter: "barriers" as const,
    value: counts.barriers,
    ideal: Math.round((counts.barriers * (steps - 4)) / steps),
  };
  const indent = indentOf(view.source, loop.loop);
  const tail = shuffleLines(view, tree).join(`\n${indent}`);
  const edits = [
    replaceNode(loop.condition, `${loop.variable} >= 32`),
    { start: loop.loop.endIndex, end: loop.loop.endIndex, text: `\n${indent}${tail}` },
  ];
  const saved = shareSaved(counts.instructions / 2, input.counters.totals.instructions);
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { array: array.name }),
    evidence: evidenceFor(entry, facts, { array: array.name }),
    gain: gainOn(input, ["issue", "shared"], saved),
  };
}

/** The steps below 32 on registers: each thread combines its value with that of a lane further on. */
function shuffleLines(view: KernelView, tree: TreeReduction): readonly string[] {
  const { array, assignment, own, other } = tree;
  const [value, offset] = [freshName(view.source, "partial"), freshName(view.source, "offset")];
  const right = assignment.childForFieldName("right") ?? assignment;
  const edits = [
    ...(own === undefined ? [] : [replaceNode(own, value)]),
    replaceNode(other, `__shfl_down_sync(0xffffffffu, ${value}, ${offset})`),
  ];
  const combined = editedText(view.source, { start: right.startIndex, end: right.endIndex }, edits);
  const operator = assignment.childForFieldName("operator")?.text ?? "=";
  return [
    "if (threadIdx.x < 32) {",
    `  ${array.type} ${value} = ${array.name}[threadIdx.x];`,
    `  for (int ${offset} = 16; ${offset} > 0; ${offset} /= 2) {`,
    `    ${value} ${operator} ${combined};`,
    "  }",
    "  if (threadIdx.x == 0) {",
    `    ${array.name}[0] = ${value};`,
    "  }",
    "}",
    "__syncthreads();",
  ];
}

/** True for a loop from half the block down to one, halving. */
function halves(view: KernelView, loop: CountedLoop, threads: number | undefined): boolean {
  const { step, comparison, bound, start } = loop;
  const amount = step.amount === undefined ? undefined : constantOf(formIn(view, step.amount));
  const halving = (step.operator === "/" && amount === 2) || (step.operator === ">>" && amount === 1);
  const least = constantOf(formIn(view, bound));
  const toOne =
    ((comparison === ">" || comparison === "!=") && least === 0) || (comparison === ">=" && least === 1);
  const form = formIn(view, start);
  const half =
    sameForm(form, formFrom({ "(blockDim.x/2)": 1 })) ||
    (threads !== undefined && sameForm(form, formFrom({ "": threads / 2 })));
  return halving && toOne && half;
}

function treeReduction(view: KernelView, loop: CountedLoop): TreeReduction | RuleHold {
  const [guard, barrier, ...rest] = statementsOf(loop.body);
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  const plain = guard?.type === "if_statement" && guard.childForFieldName("alternative") === null;
  if (!plain || !condition || rest.length > 0 || compact(barrier) !== "__syncthreads();")
    return not("no-pattern", "the loop is not a guarded step and a barrier", loop.loop);
  if (!isBelowStride(view, condition, loop.variable))
    return not("no-pattern", `${compact(condition)} is not the first threads up to the stride`, condition);
  const [step, ...more] = statementsOf(guard.childForFieldName("consequence"));
  const assignment = step?.namedChildren[0];
  if (assignment?.type !== "assignment_expression" || more.length > 0)
    return not("no-pattern", "a step of the tree is more than one assignment", guard);
  return stepOfTree(view, loop, assignment);
}

function isBelowStride(view: KernelView, condition: SyntaxNode, stride: string): boolean {
  const compared = comparisonOf(condition, stride);
  return (
    compared?.comparison === ">" && sameForm(formIn(view, compared.bound), formFrom({ "threadIdx.x": 1 }))
  );
}

/** `a[thread] = f(a[thread], a[thread + stride])`. */
function stepOfTree(view: KernelView, loop: CountedLoop, assignment: SyntaxNode): TreeReduction | RuleHold {
  const [left, right] = [assignment.childForFieldName("left"), assignment.childForFieldName("right")];
  const name = left?.childForFieldName("argument")?.text;
  const array = arraysOf(view.body).find((each) => each.name === name && each.storage !== "local");
  if (array === undefined || left === null || right === null)
    return not("no-pattern", "a step of the tree stores to no shared array", assignment);
  const isAt = (node: SyntaxNode | null, terms: Readonly<Record<string, number>>): boolean => {
    const index = node === null ? undefined : subscriptIndex(node);
    return index !== undefined && sameForm(formIn(view, index), formFrom(terms));
  };
  const reads = right.descendantsOfType("subscript_expression");
  const own = reads.find((node) => isAt(node, { "threadIdx.x": 1 }));
  const other = reads.find((node) => isAt(node, { "threadIdx.x": 1, [loop.variable]: 1 }));
  const whole = isAt(left, { "threadIdx.x": 1 });
  const named = reads.every((node) => node.childForFieldName("argument")?.text === array.name);
  const plain = assignment.childForFieldName("operator")?.text === "=";
  if (!whole || !named || other === undefined || reads.length !== (plain ? 2 : 1) || (plain && !own))
    return not(
      "no-pattern",
      "a step does not combine an element with the one a stride further on",
      assignment,
    );
  return { loop, array, assignment, own, other };
}

/**
 * The shuffles leave the partial results in registers: afterwards only element 0 may be read, and the loop
 * may not come round again.
 */
function usedAfter(view: KernelView, array: KernelArray, { loop }: CountedLoop): RuleHold | undefined {
  const around = enclosing(loop, "for_statement", "while_statement", "do_statement");
  if (around !== undefined) return not("dependence", "the tree stands inside another loop", around);
  const condition = enclosing(loop, "if_statement");
  if (condition !== undefined) return not("dependence", "not every thread reaches the tree", condition);
  const uses = usesOf(view.body, array.name).filter((use) => use.startIndex >= loop.endIndex);
  const other = uses.find((use) => {
    const index = use.parent === null ? undefined : subscriptIndex(use.parent);
    const zero = index !== undefined && constantOf(formIn(view, index)) === 0;
    return !zero;
  });
  return other && not("dependence", `${array.name} is used beyond its first element afterwards`, other);
}
