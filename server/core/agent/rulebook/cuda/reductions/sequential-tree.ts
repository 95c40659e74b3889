import { at } from "../../../../base/known";
import { constantOf, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { levelOf, stepsOf, thread, type TreeLevel, type TreeStep } from "./tree-steps";

/**
 * A tree whose stride doubles: `for (s = 1; s < blockDim.x; s *= 2) if (t % (2 * s) == 0) a[t] += a[t + s];`,
 * of one or several arrays side by side.
 */
interface GrowingTree {
  readonly loop: CountedLoop;
  readonly steps: readonly TreeStep[];
  readonly level: TreeLevel;
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
  const level = levelOf(loop);
  if (isNot(level)) return level;
  const steps = stepsOfGrowing(view, loop, level);
  if (isNot(steps)) return steps;
  const used = steps.find(({ buffer: { name } }) => {
    const own = steps.filter(({ buffer }) => buffer.name === name);
    const named = own.reduce((total, each) => total + each.own.length + 1, 0);
    return usesOf(loop.loop, name).length !== named;
  });
  return used === undefined
    ? { loop, steps, level }
    : not("dependence", `${used.buffer.name} is used otherwise in the loop`, loop.loop);
}

/** Steps where the first element is the thread's own, or that at twice the stride times the thread. */
function stepsOfGrowing(
  view: KernelView,
  loop: CountedLoop,
  level: TreeLevel,
): readonly TreeStep[] | RuleHold {
  const stride = { [loop.variable]: 1 };
  const scaled = { [[loop.variable, "threadIdx.x"].sort().join("*")]: 2 };
  const indexOf = (index: SyntaxNode): SyntaxNode => followed(loop, index);
  const plain = { own: thread, other: formFrom({ "threadIdx.x": 1, ...stride }), indexOf };
  const found = stepsOf(view, level, plain);
  if (!isNot(found)) return found;
  const spread = stepsOf(view, level, {
    own: formFrom(scaled),
    other: formFrom({ ...scaled, ...stride }),
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

function halving(view: KernelView, { loop, steps, level }: GrowingTree, threads: number): string {
  const { source } = view;
  const indent = indentOf(source, loop.loop);
  const stride = freshName(source.replaceAll(loop.loop.text, ""), loop.variable);
  const texts = steps.map(({ assignment, own, other, buffer: { name } }) =>
    editedText(source, { start: assignment.startIndex, end: assignment.endIndex }, [
      ...own.map((node) => replaceNode(node, `${name}[threadIdx.x]`)),
      replaceNode(other, `${name}[threadIdx.x + ${stride}]`),
    ]),
  );
  const step =
    texts.length === 1
      ? [`  if (threadIdx.x < ${stride}) ${at(texts, 0)};`]
      : [`  if (threadIdx.x < ${stride}) {`, ...texts.map((text) => `    ${text};`), "  }"];
  const wait = ["  __syncthreads();"];
  return [
    `for (int ${stride} = ${threads} / 2; ${stride} > 0; ${stride} /= 2) {`,
    ...(level.barrier === "before" ? [...wait, ...step] : [...step, ...wait]),
    "}",
  ].join(`\n${indent}`);
}
