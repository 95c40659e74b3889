import { at } from "../../../../base/known";
import { constantOf, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { collapse, fieldText, isInside, lineOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { selectionIn } from "./tree-selection";
import {
  guardedStep,
  levelOf,
  sharedBuffers,
  stepsOf,
  thread,
  type TreeLevel,
  type TreeStep,
} from "./tree-steps";

/**
 * A tree whose stride doubles: `for (s = 1; s < blockDim.x; s *= 2) if (t % (2 * s) == 0) a[t] += a[t + s];`,
 * of one or several arrays side by side; also with the loop over twice the stride.
 */
interface GrowingTree {
  readonly loop: CountedLoop;
  readonly barrier: TreeLevel["barrier"];
  /** What a step does, each statement with the elements that it keeps and those a stride further on. */
  readonly statements: readonly SyntaxNode[];
  readonly own: readonly SyntaxNode[];
  readonly other: readonly SyntaxNode[];
  /** True where pairs may meet in another order. */
  readonly anyOrder: boolean;
}

/**
 * Turns a tree with growing strides round: the first threads combine halves, so that whole warps drop out and
 * neighbours touch neighbouring elements. Element 0 is the same sum in another order; what depends on the
 * order keeps its pairs, which the first threads take one after the other.
 */
export const sequentialTree = defineRule("cuda-sequential-tree", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loop = countedLoops(view.body).find((each) => strideOf(view, each) !== undefined);
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
    tree: editedTree(input, [replaceNode(loop.loop, turned(view, tree, threads))]),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

/** How far apart the elements of a step lie, as a form: the loop's variable, or half of it. */
function strideOf(view: KernelView, { start, step, comparison, variable }: CountedLoop): Form | undefined {
  const amount = step.amount === undefined ? undefined : constantOf(formIn(view, step.amount));
  const doubling = (step.operator === "*" && amount === 2) || (step.operator === "<<" && amount === 1);
  const first = constantOf(formIn(view, start));
  if (!doubling || (comparison !== "<" && comparison !== "<=")) return undefined;
  if (first === 1) return formFrom({ [variable]: 1 });
  return first === 2 ? formFrom({ [`(${variable}/2)`]: 1 }) : undefined;
}

/** True where the last step of a tree combines the two halves of the block. */
function endsWithBlock(
  view: KernelView,
  { bound, comparison, start }: CountedLoop,
  threads: number,
): boolean {
  const end = formIn(view, bound);
  const isEnd = (number: number, symbolic: string): boolean =>
    sameForm(end, formFrom({ [symbolic]: 1 })) || sameForm(end, formFrom({ "": number }));
  const twice = constantOf(formIn(view, start)) === 2;
  if (twice) return comparison === "<=" && isEnd(threads, "blockDim.x");
  return comparison === "<" ? isEnd(threads, "blockDim.x") : isEnd(threads / 2, "(blockDim.x/2)");
}

function growingTree(view: KernelView, loop: CountedLoop, threads: number): GrowingTree | RuleHold {
  if (!endsWithBlock(view, loop, threads))
    return not("no-pattern", "the tree does not end with the block", loop.bound);
  const stride = strideOf(view, loop) ?? formFrom({});
  const level = levelOf(loop);
  const steps = isNot(level) ? level : stepsOfGrowing(view, loop, { level, stride });
  const tree =
    isNot(steps) || isNot(level) ? choosingTree(view, loop, stride) : summingTree(loop, level, steps);
  if (tree === undefined) return isNot(steps) ? steps : not("no-pattern", "the tree is no sum", loop.loop);
  const names = new Set([...tree.own, ...tree.other].map((node) => fieldText(node, "argument")));
  const used = [...names].find((name) => {
    const own = [...tree.own, ...tree.other].filter((node) => fieldText(node, "argument") === name);
    return usesOf(loop.loop, name).length !== own.length;
  });
  return used === undefined ? tree : not("dependence", `${used} is used otherwise in the loop`, loop.loop);
}

function summingTree(loop: CountedLoop, { barrier }: TreeLevel, steps: readonly TreeStep[]): GrowingTree {
  return {
    ...{ loop, barrier, anyOrder: true, statements: steps.map(({ assignment }) => assignment) },
    own: steps.flatMap(({ own }) => own),
    other: steps.map(({ other }) => other),
  };
}

/** A tree whose steps choose one of two elements. */
function choosingTree(view: KernelView, loop: CountedLoop, stride: Form): GrowingTree | undefined {
  const guarded = guardedStep(loop);
  if (isNot(guarded)) return undefined;
  const { barrier, statements, condition } = guarded;
  const other = formFrom({ "threadIdx.x": 1, ...Object.fromEntries(stride) });
  const selection = selectionIn(view, statements, { own: thread, other, buffers: sharedBuffers(view) });
  if (selection === undefined) return undefined;
  if (!selection.anyOrder && !isEveryOther(view, condition, stride)) return undefined;
  return { loop, barrier, statements, ...selection };
}

/** `t % (2 * s) == 0`, and `t & (2 * s - 1)` that is zero. */
function isEveryOther(view: KernelView, condition: SyntaxNode, stride: Form): boolean {
  const inner = unwrapped(condition);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const rest = left === null ? undefined : unwrapped(left);
  if (fieldText(inner, "operator") !== "==" || !rest || !right || constantOf(formIn(view, right)) !== 0)
    return false;
  const [number, by] = [rest.childForFieldName("left"), rest.childForFieldName("right")];
  if (!number || !by || !sameForm(formIn(view, number), thread)) return false;
  const half = [...stride.keys()][0] ?? "";
  const whole = half.startsWith("(") ? formFrom({ [half.slice(1, -3)]: 1 }) : formFrom({ [half]: 2 });
  if (fieldText(rest, "operator") === "%") return sameForm(formIn(view, by), whole);
  const mask = formFrom({ ...Object.fromEntries(whole), "": -1 });
  return fieldText(rest, "operator") === "&" && sameForm(formIn(view, by), mask);
}

interface Level {
  readonly level: TreeLevel;
  readonly stride: Form;
}

/** Steps where the first element is the thread's own, or that at twice the stride times the thread. */
function stepsOfGrowing(
  view: KernelView,
  loop: CountedLoop,
  { level, stride }: Level,
): readonly TreeStep[] | RuleHold {
  const further = Object.fromEntries(stride);
  const scaled = { [[loop.variable, "threadIdx.x"].sort().join("*")]: loop.variable in further ? 2 : 1 };
  const indexOf = (index: SyntaxNode): SyntaxNode => followed(loop, index);
  const plain = { own: thread, other: formFrom({ "threadIdx.x": 1, ...further }), indexOf };
  const found = stepsOf(view, level, plain);
  if (!isNot(found)) return found;
  const spread = stepsOf(view, level, {
    own: formFrom(scaled),
    other: formFrom({ ...scaled, ...further }),
    indexOf,
  });
  return isNot(spread) ? found : spread;
}

/** The value of a local that the loop declares for its index. */
function followed({ body }: CountedLoop, index: SyntaxNode): SyntaxNode {
  if (index.type !== "identifier") return index;
  const declared = body
    .descendantsOfType("init_declarator")
    .find((node) => node.childForFieldName("declarator")?.text === index.text);
  return declared?.childForFieldName("value") ?? index;
}

/** The loop with the first threads at work: on halves, or on the pairs as they were. */
function turned(view: KernelView, tree: GrowingTree, threads: number): string {
  const { loop, own, other, statements, anyOrder } = tree;
  const { source } = view;
  const indent = indentOf(source, loop.loop);
  const stride = freshName(source.replaceAll(loop.loop.text, ""), anyOrder ? loop.variable : "stride");
  const place = anyOrder ? "threadIdx.x" : `2 * ${stride} * threadIdx.x`;
  const texts = statements.map((statement) => {
    const inside = (node: SyntaxNode): boolean => isInside(node, statement);
    const edits = [
      ...own.filter(inside).map((node) => replaceNode(node, `${fieldText(node, "argument")}[${place}]`)),
      ...other
        .filter(inside)
        .map((node) => replaceNode(node, `${fieldText(node, "argument")}[${place} + ${stride}]`)),
    ];
    const text = editedText(source, { start: statement.startIndex, end: statement.endIndex }, edits);
    return collapse(text.endsWith(";") || text.endsWith("}") ? text : `${text};`);
  });
  const condition = anyOrder ? `threadIdx.x < ${stride}` : `threadIdx.x < ${threads} / (2 * ${stride})`;
  const step =
    texts.length === 1 && !at(texts, 0).startsWith("if")
      ? [`  if (${condition}) ${at(texts, 0)}`]
      : [`  if (${condition}) {`, ...texts.map((text) => `    ${text}`), "  }"];
  const wait = ["  __syncthreads();"];
  const head = anyOrder
    ? `for (int ${stride} = ${threads} / 2; ${stride} > 0; ${stride} /= 2) {`
    : `for (int ${stride} = 1; ${stride} < ${threads}; ${stride} *= 2) {`;
  const lines = tree.barrier === "before" ? [...wait, ...step] : [...step, ...wait];
  return [head, ...lines, "}"].join(`\n${indent}`);
}
