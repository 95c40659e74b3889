import { at } from "../../../../base/known";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { constantOf, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import {
  comparisonOf,
  type CountedLoop,
  countedLoops,
  statementsOf,
} from "../../../../language/cuda/body/loops";
import { compact, enclosing, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView, templateEstimates } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import {
  levelOf,
  type SharedBuffer,
  stepsOf,
  thread,
  type TreeLevel,
  type TreeStep,
  usedBeyondFirst,
} from "./tree-steps";

/**
 * A halving loop over a shared array: `for (int s = blockDim.x / 2; s > 0; s /= 2) { if (threadIdx.x < s)
 * a[threadIdx.x] += a[threadIdx.x + s]; __syncthreads(); }`.
 */
interface TreeReduction {
  readonly loop: CountedLoop;
  /** Of each array that the tree sums, side by side. */
  readonly steps: readonly [TreeStep, ...TreeStep[]];
  readonly level: TreeLevel;
}

const warp = 32;

const shuffled = new Set([
  "float",
  "int",
  "unsigned",
  "unsigned int",
  "int32_t",
  "uint32_t",
  "double",
  "long long",
  "unsigned long long",
  "half",
  "__half",
  "__nv_bfloat16",
]);

/**
 * Lets the warps of a block reduce their values by shuffles, and the first warp what they came to: a few
 * barriers in place of one for each level, and hardly a trip through shared memory. Where the issue of
 * instructions binds, warps that leave the tree early are cheaper: as an alternative, the last five steps
 * alone run inside one warp.
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
  return loops.flatMap((loop) => {
    const tree = treeReduction(view, loop);
    return isNot(tree) ? tree : proposalsFor(input, entry, { view, tree, threads });
  });
});

interface Place {
  readonly view: KernelView;
  readonly tree: TreeReduction;
  readonly threads: number;
}

function proposalsFor(
  input: RuleInput,
  entry: RuleEntry,
  { view, tree, threads }: Place,
): RuleAnswer | readonly RuleAnswer[] {
  const { loop, steps } = tree;
  const held = usedOtherwise(view, tree) ?? notShuffled(view, steps);
  if (held !== undefined) return held;
  const counts = countsOf(input, loop.loop);
  if (counts.barriers < threshold(entry, "barriersLeast"))
    return not("no-evidence", "no barrier was counted in the loop", loop.loop);
  const facts = {
    file: input.file,
    line: lineOf(loop.loop),
    counter: "barriers" as const,
    value: counts.barriers,
  };
  const array = steps.map(({ buffer }) => buffer.name).join(" and ");
  const saved = shareSaved(counts.instructions / 2, input.counters.totals.instructions);
  const levels = Math.log2(threads);
  return [inEachWarp(view, tree, threads / warp), inLastWarp(view, tree, levels)].map(
    ({ edits, how, barriers }, place) => ({
      kind: "proposal",
      tree: editedTree(input, edits),
      hypothesis: fillSentence(entry.hypothesis, { array, how }),
      evidence: evidenceFor(
        entry,
        { ...facts, ideal: Math.round((counts.barriers * barriers) / levels) },
        { array },
      ),
      gain: gainOn(input, ["issue", "shared"], saved),
      ...(place > 0 && { isAlternative: true }),
    }),
  );
}

/** One way to shuffle, with the barriers of a tree that it leaves. */
interface Shuffling {
  readonly edits: readonly TextEdit[];
  readonly how: string;
  readonly barriers: number;
}

/** Every warp combines its values, and the first warp what the warps came to. */
function inEachWarp(view: KernelView, tree: TreeReduction, warps: number): Shuffling {
  const { loop } = tree.loop;
  const lines = shuffleLines(view, tree, warps).join(`\n${indentOf(view.source, loop)}`);
  return {
    edits: [replaceNode(loop, lines)],
    how: "first in each warp and then among the warps",
    barriers: 3,
  };
}

/** The loop stops where one warp is left, which combines its values by itself. */
function inLastWarp(view: KernelView, tree: TreeReduction, levels: number): Shuffling {
  const { loop, condition, variable } = tree.loop;
  const indent = indentOf(view.source, loop);
  const tail = lastSteps(view, tree).join(`\n${indent}`);
  return {
    edits: [
      replaceNode(condition, `${variable} >= ${warp}`),
      { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${tail}` },
    ],
    how: "once one warp is left",
    barriers: levels - 4,
  };
}

/** A guard's answer for a type that no shuffle moves, that of a template's instances in the file included. */
function notShuffled(view: KernelView, steps: TreeReduction["steps"]): RuleHold | undefined {
  const instances = templateEstimates(view).types;
  const wrong = steps.find(({ buffer }) => {
    const named = instances.get(buffer.type) ?? buffer.type;
    return !shuffled.has((view.model.types.get(named) ?? named).replace(/^std::/, ""));
  });
  return wrong && not("type", `${wrong.buffer.type} cannot be shuffled`, wrong.buffer.declaration);
}

/** What both ways are made of. */
interface ShuffleParts {
  /** A line for each array that the tree sums. */
  each(text: (name: string, value: string, type: string) => string): readonly string[];
  /** The loop that combines the values of as many lanes as twice its start. */
  down(from: number): readonly string[];
  /** What the level begins with. */
  readonly opened: readonly string[];
}

function shuffleParts(view: KernelView, { steps, level }: TreeReduction): ShuffleParts {
  const offset = freshName(view.source, "offset");
  const values = steps.map(({ buffer }) =>
    freshName(view.source, steps.length === 1 ? "partial" : `${buffer.name}Partial`),
  );
  const combined = steps.map(({ assignment, own, other }, place) => {
    const value = at(values, place);
    const edits = [
      ...own.map((node) => replaceNode(node, value)),
      replaceNode(other, `__shfl_down_sync(0xffffffffu, ${value}, ${offset})`),
    ];
    return editedText(view.source, { start: assignment.startIndex, end: assignment.endIndex }, edits);
  });
  return {
    each: (text) => steps.map(({ buffer: { name, type } }, place) => text(name, at(values, place), type)),
    down: (from) => [
      `for (int ${offset} = ${from}; ${offset} > 0; ${offset} /= 2) {`,
      ...combined.map((text) => `  ${text};`),
      "}",
    ],
    opened: level.barrier === "before" ? ["__syncthreads();"] : [],
  };
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** The steps of the last warp on registers: each thread combines its value with that of a lane further on. */
function lastSteps(view: KernelView, tree: TreeReduction): readonly string[] {
  const { each, down, opened } = shuffleParts(view, tree);
  return [
    ...opened,
    `if (threadIdx.x < ${warp}) {`,
    ...each((name, value, type) => `  ${type} ${value} = ${name}[threadIdx.x];`),
    ...indented(down(warp / 2)),
    "  if (threadIdx.x == 0) {",
    ...each((name, value) => `    ${name}[0] = ${value};`),
    "  }",
    "}",
    "__syncthreads();",
  ];
}

/**
 * The tree on registers: each warp combines its values by shuffles, and the first warp what the warps came
 * to. The first lane of both gets each value once, so that nothing has to stand for the missing ones.
 */
function shuffleLines(view: KernelView, tree: TreeReduction, warps: number): readonly string[] {
  const { each, down, opened } = shuffleParts(view, tree);
  return [
    ...opened,
    ...each((name, value, type) => `${type} ${value} = ${name}[threadIdx.x];`),
    ...down(warp / 2),
    "__syncthreads();",
    `if (threadIdx.x % ${warp} == 0) {`,
    ...each((name, value) => `  ${name}[threadIdx.x / ${warp}] = ${value};`),
    "}",
    "__syncthreads();",
    `if (threadIdx.x < ${warp}) {`,
    ...each((name, value) => `  if (threadIdx.x < ${warps}) ${value} = ${name}[threadIdx.x];`),
    ...indented(down(warps / 2)),
    "  if (threadIdx.x == 0) {",
    ...each((name, value) => `    ${name}[0] = ${value};`),
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
  const level = levelOf(loop);
  if (isNot(level)) return level;
  if (!isBelowStride(view, level.condition, loop.variable))
    return not(
      "no-pattern",
      `${compact(level.condition)} is not the first threads up to the stride`,
      level.condition,
    );
  const other = formFrom({ "threadIdx.x": 1, [loop.variable]: 1 });
  const steps = stepsOf(view, level, { own: thread, other, indexOf: (index) => index });
  if (isNot(steps)) return steps;
  const [first, ...more] = steps;
  return first === undefined
    ? not("no-pattern", "a step of the tree does nothing", loop.loop)
    : { loop, steps: [first, ...more], level };
}

function isBelowStride(view: KernelView, condition: SyntaxNode, stride: string): boolean {
  const compared = comparisonOf(condition, stride);
  return compared?.comparison === ">" && sameForm(formIn(view, compared.bound), thread);
}

/**
 * The shuffles leave the partial results in registers: afterwards only element 0 may be read, until each
 * thread has stored its element anew.
 */
function usedOtherwise(view: KernelView, { loop: { loop }, steps }: TreeReduction): RuleHold | undefined {
  const condition = enclosing(loop, "if_statement");
  if (condition !== undefined) return not("dependence", "not every thread reaches the tree", condition);
  const around = enclosing(loop, "for_statement", "while_statement", "do_statement");
  for (const { buffer } of steps) {
    if (around !== undefined && !isStoredAnew(view, buffer, { loop, around }))
      return not("dependence", "the tree stands inside another loop", around);
    const isLooked = (use: SyntaxNode): boolean => use.startIndex >= loop.endIndex;
    const use = usedBeyondFirst(view, buffer, isLooked);
    if (use !== undefined)
      return not("dependence", `${buffer.name} is used beyond its first element afterwards`, use);
  }
  return undefined;
}

/** True where each turn of the outer loop stores every thread's own element before the tree. */
function isStoredAnew(
  view: KernelView,
  { name }: SharedBuffer,
  { loop, around }: { readonly loop: SyntaxNode; readonly around: SyntaxNode },
): boolean {
  const statements = statementsOf(around.childForFieldName("body"));
  const store = statements.find((statement) => {
    const left = statement.namedChildren[0]?.childForFieldName("left");
    const index = left ? subscriptIndex(left) : undefined;
    const plain = fieldText(statement.namedChildren[0], "operator") === "=";
    const own = index !== undefined && sameForm(formIn(view, index), thread);
    return plain && own && fieldText(left, "argument") === name && statement.startIndex < loop.startIndex;
  });
  const before = (use: SyntaxNode): boolean =>
    isInside(use, around) && use.startIndex < (store?.startIndex ?? Number.POSITIVE_INFINITY);
  const inside = statements.some(({ id }) => id === loop.id);
  return store !== undefined && inside && !usesOf(view.body, name).some(before);
}
