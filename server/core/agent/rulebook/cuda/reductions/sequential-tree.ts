import { arraysOf, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { constantOf, formFrom, formText, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { compact, fieldText, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";

/**
 * A tree whose stride doubles: `for (s = 1; s < blockDim.x; s *= 2) if (t % (2 * s) == 0) a[t] += a[t + s];`.
 */
interface GrowingTree {
  readonly loop: CountedLoop;
  readonly assignment: SyntaxNode;
  readonly own: readonly SyntaxNode[];
  readonly other: SyntaxNode;
}

/**
 * Turns a tree with growing strides round: the first threads combine halves, so that whole warps drop out and
 * neighbours touch neighbouring elements. Element 0 is the same sum in another order.
 */
export const sequentialTree = defineRule("cuda-sequential-tree", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loop = countedLoops(view.body).find((each) => doubles(view, each));
  if (loop === undefined) return not("no-pattern", "no loop doubles its stride from one", view.line);
  const counts = countsOf(input, loop.loop);
  const saved = shareSaved(counts.instructions / 2, input.counters.totals.instructions);
  const gain = gainOn(input, ["issue", "shared", "latency"], saved);
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  if (threads === undefined || !Number.isInteger(Math.log2(threads)))
    return { ...not("launch", "the block is not known to be a power of two", view.line), gain };
  const tree = growingTree(view, loop, threads);
  if (isNot(tree)) return { ...tree, gain };
  if (counts.barriers === 0) return not("no-evidence", "no barrier was counted in the loop", loop.loop);
  const facts = {
    ...{ file: input.file, line: lineOf(loop.loop), counter: "instructions" as const },
    ...{ value: counts.instructions, ideal: Math.round(counts.instructions / 2) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(loop.loop, halving(view, tree, threads))]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

function doubles(view: KernelView, { start, step, comparison }: CountedLoop): boolean {
  const amount = step.amount === undefined ? undefined : constantOf(formIn(view, step.amount));
  const doubling = (step.operator === "*" && amount === 2) || (step.operator === "<<" && amount === 1);
  return doubling && constantOf(formIn(view, start)) === 1 && (comparison === "<" || comparison === "<=");
}

function growingTree(view: KernelView, loop: CountedLoop, threads: number): GrowingTree | RuleHold {
  const end = formIn(view, loop.bound);
  const whole = sameForm(end, formFrom({ "blockDim.x": 1 })) || sameForm(end, formFrom({ "": threads }));
  const half =
    sameForm(end, formFrom({ "(blockDim.x/2)": 1 })) || sameForm(end, formFrom({ "": threads / 2 }));
  if (loop.comparison === "<" ? !whole : !half)
    return not("no-pattern", "the tree does not end with the block", loop.bound);
  const all = statementsOf(loop.body);
  const steps = all.filter((each) => each.type === "if_statement");
  const declared = all.filter((each) => each.type === "declaration");
  const [step] = steps;
  const barrier = compact(all.at(-1)) === "__syncthreads();";
  if (step === undefined || steps.length > 1 || !barrier || all.length !== declared.length + 2)
    return not("no-pattern", "the loop is not a guarded step and a barrier", loop.loop);
  const [inner, ...more] = statementsOf(step.childForFieldName("consequence"));
  const assignment = inner?.namedChildren[0];
  if (assignment?.type !== "assignment_expression" || more.length > 0)
    return not("no-pattern", "a step of the tree is more than one assignment", step);
  return stepOf(view, loop, assignment);
}

/** `a[first] = f(a[first], a[first + stride])`, where `first` is the thread or twice the stride times it. */
function stepOf(view: KernelView, loop: CountedLoop, assignment: SyntaxNode): GrowingTree | RuleHold {
  const left = assignment.childForFieldName("left");
  const name = left?.childForFieldName("argument")?.text;
  const array = arraysOf(view.body).find((each) => each.name === name && each.storage !== "local");
  if (left === null || array === undefined)
    return not("no-pattern", "a step of the tree stores to no shared array", assignment);
  const { variable } = loop;
  const meaning = (node: SyntaxNode): string => {
    const index = subscriptIndex(node);
    return index === undefined ? "" : formText(formIn(view, followed(loop, index)));
  };
  const nodes = assignment.descendantsOfType("subscript_expression");
  const plain = formText(formFrom({ "threadIdx.x": 1 }));
  const scaled = formText(formFrom({ [[variable, "threadIdx.x"].sort().join("*")]: 2 }));
  const first = meaning(left);
  if (first !== plain && first !== scaled)
    return not("no-pattern", "a step does not begin at the thread's own element", left);
  const further = formFrom(
    first === plain
      ? { "threadIdx.x": 1, [variable]: 1 }
      : { [[variable, "threadIdx.x"].sort().join("*")]: 2, [variable]: 1 },
  );
  const other = nodes.find((node) => meaning(node) === formText(further));
  const own = nodes.filter((node) => meaning(node) === first);
  const named = nodes.every((node) => fieldText(node, "argument") === array.name);
  if (other === undefined || own.length + 1 !== nodes.length || !named)
    return not(
      "no-pattern",
      "a step does not combine an element with the one a stride further on",
      assignment,
    );
  const conditionUses = usesOf(loop.loop, array.name).length;
  if (conditionUses !== nodes.length)
    return not("dependence", `${array.name} is used otherwise in the loop`, loop.loop);
  return { loop, assignment, own, other };
}

/** The value of a local that the loop declares for its index. */
function followed({ body }: CountedLoop, index: SyntaxNode): SyntaxNode {
  if (index.type !== "identifier") return index;
  const declared = body
    .descendantsOfType("init_declarator")
    .find((node) => node.childForFieldName("declarator")?.text === index.text);
  return declared?.childForFieldName("value") ?? index;
}

function halving(view: KernelView, { loop, assignment, own, other }: GrowingTree, threads: number): string {
  const { source } = view;
  const indent = indentOf(source, loop.loop);
  const stride = freshName(source.replaceAll(loop.loop.text, ""), loop.variable);
  const name = fieldText(assignment.childForFieldName("left"), "argument");
  const step = editedText(source, { start: assignment.startIndex, end: assignment.endIndex }, [
    ...own.map((node) => replaceNode(node, `${name}[threadIdx.x]`)),
    replaceNode(other, `${name}[threadIdx.x + ${stride}]`),
  ]);
  return [
    `for (int ${stride} = ${threads} / 2; ${stride} > 0; ${stride} /= 2) {`,
    `  if (threadIdx.x < ${stride}) ${step};`,
    "  __syncthreads();",
    "}",
  ].join(`\n${indent}`);
}
