import { comparisonOf, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { compact, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { gridDivisor } from "../launch/grid-divisor";
import { type ElementPlace, type ElementWork, elementWork, threadsCooperate } from "./element-work";
import { isGlobalThreadIndex, isGridStride } from "./item-loops";
import { narrowAccess, vectorPath, workBlanks } from "./vector-path";

/** An element-wise kernel with what has to change around its statements. */
interface Found {
  readonly work: ElementWork;
  edits(lanes: number): readonly TextEdit[];
}

/**
 * Gives each thread of an element-wise kernel several neighbouring elements instead of one: one thread an
 * element (the grid shrinks with it), or a grid-stride loop (its steps grow). The tail and unaligned arrays
 * take the scalar path.
 */
export const vectorizeThreads = defineRule("cuda-vectorize-threads", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const loops = [...gridStrides(view, threads), ...whileStrides(view, threads)];
  const found = loops.length > 0 ? loops : [oneElementEach(input, view, threads)];
  const held = threadsCooperate(view);
  if (held !== undefined) return held;
  return found.map((each) => (isNot(each) ? each : proposalFor(input, view, { entry, found: each })));
});

function proposalFor(
  input: RuleInput,
  view: KernelView,
  { entry, found }: { readonly entry: RuleEntry; readonly found: Found },
): RuleAnswer {
  const { work } = found;
  const narrow = narrowAccess(input, entry, work);
  if (isNot(narrow)) return narrow;
  const tree = editedTree(input, [...found.edits(work.lanes), vectorPath(view, work)]);
  const hypothesis = fillSentence(entry.hypothesis, workBlanks(work));
  return { kind: "proposal", tree, hypothesis, ...narrow };
}

/** `int i = (thread of the grid); if (i < n) out[i] = …;` with a grid of n over the block. */
function oneElementEach(input: RuleInput, view: KernelView, threads: number | undefined): Found | RuleHold {
  const indices = localValues(view.body).filter(({ value }) =>
    isGlobalThreadIndex(formIn(view, value), threads),
  );
  const guarded = indices.flatMap((index) => guardedBy(view, index) ?? []);
  const [place] = guarded;
  if (place === undefined)
    return indices[0] === undefined
      ? not("no-pattern", "no variable is the number of the thread in the grid", view.line)
      : not("no-pattern", `no condition keeps ${indices[0].name} below a size`, indices[0].declaration);
  const work = elementWork(view, place.element);
  if (isNot(work)) return work;
  const { index } = place;
  const elsewhere = usesOf(view.body, index.name).find(
    (use) => !place.own.some((node) => isInside(use, node)) && !isInside(use, index.declaration),
  );
  if (elsewhere !== undefined)
    return not("dependence", `${index.name} is used outside of the guarded work`, elsewhere);
  if (isAssigned(view.body, index.name))
    return not("dependence", `${index.name} is changed`, index.declaration);
  const grid = gridDivisor(input, view);
  if (isNot(grid)) return grid;
  return {
    work,
    edits: (lanes) => [replaceNode(index.value, `(${index.value.text}) * ${lanes}`), ...grid.times(lanes)],
  };
}

interface Guarded {
  readonly index: LocalValue;
  readonly element: ElementPlace;
  /** Everything that may use the index. */
  readonly own: readonly SyntaxNode[];
}

/** `if (i < n) …` with nothing else, or `if (i >= n) return;` and all that follows. */
function guardedBy(view: KernelView, index: LocalValue): Guarded | undefined {
  const all = partsOf(view.body);
  for (const [position, guard] of all.entries()) {
    if (guard.type !== "if_statement" || guard.childForFieldName("alternative") !== null) continue;
    const condition = guard.childForFieldName("condition")?.childForFieldName("value");
    const compared = condition ? comparisonOf(condition, index.name) : undefined;
    const consequence = statementsOf(guard.childForFieldName("consequence"));
    if (compared?.comparison === "<")
      return {
        index,
        element: { statements: consequence, index: index.name, bound: compared.bound, guard },
        own: [guard],
      };
    const exits = consequence.length === 1 && compact(consequence[0]) === "return;";
    const rest = all.slice(position + 1);
    if (compared?.comparison === ">=" && exits)
      return {
        index,
        element: { statements: rest, index: index.name, bound: compared.bound },
        own: [guard, ...rest],
      };
  }
  return undefined;
}

/** A loop over the grid, by its parts. */
interface Stride {
  readonly place: ElementPlace;
  readonly start: SyntaxNode;
  readonly amount: SyntaxNode;
}

function strided(view: KernelView, { place, start, amount }: Stride): Found | RuleHold {
  const work = elementWork(view, place);
  if (isNot(work)) return work;
  const factors =
    amount.type === "identifier" || compact(amount).includes("*") ? amount.text : `(${amount.text})`;
  return {
    work,
    edits: (lanes) => [
      replaceNode(start, `(${start.text}) * ${lanes}`),
      replaceNode(amount, `${factors} * ${lanes}`),
    ],
  };
}

/** `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = …;`. */
function gridStrides(view: KernelView, threads: number | undefined): readonly (Found | RuleHold)[] {
  return countedLoops(view.body).flatMap((loop) => {
    const { start, step, bound, variable } = loop;
    const { amount } = step;
    if (!isGlobalThreadIndex(formIn(view, start), threads) || loop.comparison !== "<") return [];
    if (amount === undefined || step.operator !== "+" || !isGridStride(formIn(view, amount), threads))
      return [];
    const place = { statements: statementsOf(loop.body), index: variable, bound };
    return [strided(view, { place, start, amount })];
  });
}

/** `int i = …; while (i < n) { out[i] = …; i += blockDim.x * gridDim.x; }`. */
function whileStrides(view: KernelView, threads: number | undefined): readonly (Found | RuleHold)[] {
  return view.body.descendantsOfType("while_statement").flatMap((loop) => {
    const stride = whileStride(view, loop, threads);
    if (stride === undefined) return [];
    const { index, declaration } = stride;
    const after = usesOf(view.body, index).find((use) => !isInside(use, loop) && !isInside(use, declaration));
    return after === undefined
      ? [strided(view, stride)]
      : [not("dependence", `${index} is used outside of the loop`, after)];
  });
}

function whileStride(view: KernelView, loop: SyntaxNode, threads: number | undefined) {
  const all = statementsOf(loop.childForFieldName("body"));
  const update = all.at(-1)?.namedChildren[0];
  const amount = update?.childForFieldName("right");
  const index = localValues(view.body).find(({ name }) => name === update?.childForFieldName("left")?.text);
  const adds = update?.childForFieldName("operator")?.text === "+=";
  if (index === undefined || !adds || !amount || !isGridStride(formIn(view, amount), threads))
    return undefined;
  const condition = loop.childForFieldName("condition")?.childForFieldName("value");
  const compared = condition ? comparisonOf(condition, index.name) : undefined;
  if (compared?.comparison !== "<" || !isGlobalThreadIndex(formIn(view, index.value), threads))
    return undefined;
  const place = { statements: all.slice(0, -1), index: index.name, bound: compared.bound };
  return { place, start: index.value, amount, index: index.name, declaration: index.declaration };
}
