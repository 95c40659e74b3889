import { comparisonOf, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { combinedIn } from "../rows/carried-values";
import { blocksAcross } from "../launch/grid-divisor";
import { type ElementPlace, type ElementWork, elementWork, threadsCooperate } from "./element-work";
import { type Found, handsOn, sideBySide, stepsOf, type Stride } from "./strides";
import { isGlobalThreadIndex, isGridStride, loopReach } from "./item-loops";
import { narrowAccess, vectorPath, workBlanks } from "./vector-path";

/**
 * Gives each thread of an element-wise kernel several neighbouring elements instead of one: one thread an
 * element (the grid shrinks with it), or a grid-stride loop (its steps grow). The tail and unaligned arrays
 * take the scalar path.
 */
export const vectorizeThreads = defineRule("cuda-vectorize-threads", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const loops = [...strides(view, threads), ...whileStrides(view, threads)];
  const found = loops.length > 0 ? loops : [threadsCooperate(view) ?? oneElementEach(input, view, threads)];
  return found.map((each) => (isNot(each) ? each : proposalFor(input, view, { entry, found: each })));
});

function proposalFor(
  input: RuleInput,
  view: KernelView,
  { entry, found }: { readonly entry: RuleEntry; readonly found: Found },
): RuleAnswer {
  const { work, along = [] } = found;
  const all = [found, ...along];
  const seen = all.map((each) => narrowAccess(input, entry, each.work));
  const narrow = seen.find((each) => !isNot(each)) ?? seen[0];
  if (narrow === undefined || isNot(narrow))
    return narrow ?? not("no-evidence", "no access is narrow", view.line);
  const edits = all.flatMap((each) => [
    ...(work.lanes === 1 ? [] : each.edits(work.lanes)),
    vectorPath(view, each.work),
  ]);
  const tree = editedTree(input, edits);
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
  const held = namesBlock(view, work);
  if (held !== undefined) return held;
  const { index } = place;
  const elsewhere = usesOf(view.body, index.name).find(
    (use) => !place.own.some((node) => isInside(use, node)) && !isInside(use, index.declaration),
  );
  if (elsewhere !== undefined)
    return not("dependence", `${index.name} is used outside of the guarded work`, elsewhere);
  if (isAssigned(view.body, index.name))
    return not("dependence", `${index.name} is changed`, index.declaration);
  const grid = blocksAcross(input, view);
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

/** `if (i < n) …` alone, or `if (i >= n) return;` and all that follows; other conditions may stand beside. */
function guardedBy(view: KernelView, index: LocalValue): Guarded | undefined {
  const all = partsOf(view.body);
  for (const [position, guard] of all.entries()) {
    if (guard.type !== "if_statement" || guard.childForFieldName("alternative") !== null) continue;
    const condition = guard.childForFieldName("condition")?.childForFieldName("value");
    if (!condition) continue;
    const consequence = statementsOf(guard.childForFieldName("consequence"));
    const exits = consequence.length === 1 && compact(consequence[0]) === "return;";
    const parts = operands(condition, exits ? "||" : "&&");
    const compared = parts
      .map((part) => comparisonOf(part, index.name))
      .find((each) => each?.comparison === (exits ? ">=" : "<"));
    if (compared === undefined) continue;
    const own = { index: index.name, bound: compared.bound };
    const rest = all.slice(position + 1);
    if (exits) return { index, element: { ...own, statements: rest }, own: [guard, ...rest] };
    // Other conditions stay around what is replaced.
    const whole = parts.length === 1 ? { guard } : {};
    return { index, element: { ...own, statements: consequence, ...whole }, own: [guard] };
  }
  return undefined;
}

/** A sum that a block hands over under its own number: its elements will be others. */
function sumsOfBlock({ body }: KernelView, { sums }: ElementPlace, start: SyntaxNode): RuleHold | undefined {
  const other = usesOf(body, "blockIdx").find((use) => !isInside(use, start));
  return sums !== undefined && sums.size > 0 && other !== undefined
    ? not("dependence", "each block hands over a sum of its own elements", other)
    : undefined;
}

/** Something by which a block knows itself: its elements will be those of several blocks. */
function namesBlock(view: KernelView, { statements, index }: ElementWork): RuleHold | undefined {
  const isBlock = ({ text, parent }: SyntaxNode): boolean =>
    text === "gridDim" || (text === "blockIdx" && compact(parent) === "blockIdx.x");
  const made = new Set(
    localValues(view.body).flatMap(({ name, value }) =>
      name !== index && value.descendantsOfType("identifier").some(isBlock) ? [name] : [],
    ),
  );
  const all = statements.flatMap((node) => node.descendantsOfType("identifier"));
  const wanted = new Set(
    statements
      .flatMap((node) => node.descendantsOfType("subscript_expression"))
      .flatMap((node) => node.childForFieldName("indices")?.descendantsOfType("identifier") ?? [])
      .filter(isBlock)
      .filter(({ parent }) => /\bthreadIdx\b/.test(indexAround(parent)))
      .map(({ id }) => id),
  );
  const found = all.find((name) => (isBlock(name) && !wanted.has(name.id)) || made.has(name.text));
  return found && not("dependence", `${found.text} is used beside the element`, found);
}

/** The whole index that a node stands in, as text. */
function indexAround(node: SyntaxNode | null): string {
  const outer = node === null ? undefined : enclosing(node, "subscript_argument_list");
  return outer?.text ?? "";
}

function strided(view: KernelView, { place, start, amount, reach }: Stride): Found | RuleHold {
  const work = elementWork(view, place);
  if (isNot(work)) return work;
  const held =
    (reach === "grid" ? (namesBlock(view, work) ?? sumsOfBlock(view, place, start)) : undefined) ??
    handsOn(view, work);
  if (held !== undefined) return held;
  return { work, edits: (lanes) => stepsOf({ start, amount }, lanes) };
}

/** `for (int i = thread; i < n; i += threads) out[i] = …;` over the threads of the grid, or of the block. */
function strides(view: KernelView, threads: number | undefined): readonly (Found | RuleHold)[] {
  const loops = countedLoops(view.body).flatMap((loop) => {
    const { start, step, bound, variable } = loop;
    const reach = loopReach(view, loop, threads);
    if (reach === undefined || step.amount === undefined) return [];
    const place = {
      statements: statementsOf(loop.body),
      index: variable,
      bound,
      sums: combinedIn(loop.body, variable),
    };
    return [{ place, start, amount: step.amount, reach, loop: loop.loop }];
  });
  const found = loops.map((stride) => strided(view, stride));
  return found.some(isNot) ? [...found, ...sideBySide(view, loops)] : found;
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
  const own = { index: index.name, declaration: index.declaration };
  return { place, start: index.value, amount, reach: "grid" as const, ...own };
}
