import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { type LineNames, lineNames, lineSpace, lineWalk, placeLines } from "../points/line-space";
import { plainType } from "../points/tile-walk";
import { accessesIn, elementTypeOf, type PointSpace } from "../points/point-space";
import { type InnerPoints, innerPoints, unrolled } from "./inner-points";
import { type Reach, reachIn } from "./reach";
import { blocksOfOneRound, reuseIn } from "./window";

/**
 * Loads what the windows of a block's points reach into shared memory, a tile with a halo on both sides,
 * where all of it lies inside; pieces at the borders stay as they are.
 */
export const stageWindow = defineRule("cuda-stage-window", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const space = lineSpace(view, block.sizes);
  if (isNot(space)) return space;
  const window = windowIn(view, space);
  if (isNot(window)) return window;
  const [first] = window.loads;
  const seen = reuseIn(input, space);
  if (first === undefined || seen.again < threshold(entry, "times") * seen.fresh)
    return not("no-evidence", "the loads of a window bring in new sectors", view.line);
  const gain = gainOn(input, ["issue", "l1", "l2", "latency", "dram"], threshold(entry, "share"));
  const inner = innerPoints(view, space);
  const length = block.sizes[0];
  const held =
    overlapsItself(view, window) ?? tooWide(window, length) ?? isSkipped(view, space, { window, inner });
  if (held !== undefined) return { ...held, gain };
  const facts = { file: input.file, line: lineOf(first.node), counter: "globalLoadSectors" as const };
  const counts = blocksOfOneRound(input, view) === undefined ? [4, 1] : [1];
  return counts.map((turns) => ({
    kind: "proposal" as const,
    tree: editedTree(input, [edited({ view, space, window, inner, threads: length, turns })]),
    hypothesis: fillSentence(entry.hypothesis, {
      count: String(length * turns + window.high - window.low),
      array: window.parameter,
    }),
    evidence: evidenceFor(
      entry,
      { ...facts, value: seen.value, ideal: seen.fresh },
      { array: window.parameter },
    ),
    gain,
  }));
});

/** The array that is read around each point, and how far. */
interface Window {
  readonly parameter: string;
  readonly elementType: string;
  readonly loads: readonly (CudaAccess & { readonly indexNode: SyntaxNode })[];
  readonly low: number;
  readonly high: number;
}

function windowIn(view: KernelView, space: PointSpace): Window | RuleHold {
  const place = reachIn(view, space);
  const found = new Map<string, { readonly load: Window["loads"][number]; readonly reach: Reach }[]>();
  for (const access of accessesIn(view, space.statements)) {
    const { indexNode, parameter, loads } = access;
    const reached = indexNode === undefined ? undefined : place(indexNode);
    const reach = reached?.size === 1 ? reached.get("") : undefined;
    if (indexNode === undefined || reach?.across !== 1 || !loads) continue;
    found.set(parameter, [...(found.get(parameter) ?? []), { load: { ...access, indexNode }, reach }]);
  }
  const all = [...found].map(([parameter, seen]) => ({
    parameter,
    seen,
    low: Math.min(...seen.map(({ reach }) => reach.low.constant)),
    high: Math.max(...seen.map(({ reach }) => reach.high.constant)),
  }));
  const [widest] = all.sort((a, b) => b.high - b.low - (a.high - a.low));
  const open = all.flatMap(({ seen }) => seen).find(({ reach }) => boundTerms(reach) > 0);
  if (open !== undefined)
    return not("limit", "how far the window reaches is known at run time only", open.load.node);
  if (widest === undefined || widest.high === widest.low)
    return not("no-pattern", "no array is read in a window around the point", view.line);
  const { parameter, seen, low, high } = widest;
  const elementType = elementTypeOf(view, parameter);
  return elementType === undefined
    ? not("type", `the elements of ${parameter} have no type that is written out`, view.line)
    : { parameter, elementType, loads: seen.map(({ load }) => load), low, high };
}

function boundTerms({ low, high }: Reach): number {
  return low.terms.length + high.terms.length;
}

function overlapsItself(view: KernelView, { parameter, loads }: Window): RuleHold | undefined {
  const stored = cudaAccesses(view.kernel).stored.has(parameter);
  return stored
    ? not("aliasing", `${parameter} is loaded as well as stored`, loads[0]?.node ?? view.line)
    : undefined;
}

function tooWide({ low, high, loads }: Window, length: number): RuleHold | undefined {
  const wide = high - low > length;
  const [first] = loads;
  return wide && first !== undefined
    ? not("limit", `a window reaches farther than the ${length} points of a block`, first.node)
    : undefined;
}

/**
 * A load, or a statement that leaves a loop, under a condition that is still one inside: not all of the tile
 * would be read then.
 */
function isSkipped(
  view: KernelView,
  { statements }: PointSpace,
  { window, inner }: { readonly window: Window; readonly inner: InnerPoints },
): RuleHold | undefined {
  const [guard] = inner.guards;
  if (guard !== undefined) return not("dependence", `only points with ${guard} have any work`, view.line);
  const leaves = statements.flatMap((node) =>
    node.descendantsOfType(["continue_statement", "break_statement"]),
  );
  const conditional = ["if_statement", "conditional_expression", "while_statement", "binary_expression"];
  for (const node of [...window.loads.map((load) => load.node), ...leaves])
    for (let outer = node.parent; outer !== null && outer.id !== view.body.id; outer = outer.parent) {
      if (!conditional.includes(outer.type) || !statements.some((each) => isInside(outer, each))) continue;
      const condition = outer.childForFieldName(outer.type === "binary_expression" ? "left" : "condition");
      const decides = outer.type !== "binary_expression" || /^(&&|\|\|)$/.test(fieldText(outer, "operator"));
      if (!decides || condition === null || isInside(node, condition)) continue;
      const range = { start: condition.startIndex, end: condition.endIndex };
      const text = editedText(view.source, range, inside(inner.edits, range));
      if (!/^(?:true|false|[\s()!&|])*$/.test(text))
        return not("dependence", "not all elements of the window are read everywhere", outer);
    }
  return undefined;
}

function inside(
  edits: readonly TextEdit[],
  range: { readonly start: number; readonly end: number },
): readonly TextEdit[] {
  return edits.filter(({ start, end }) => start >= range.start && end <= range.end);
}

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly window: Window;
  readonly inner: InnerPoints;
  readonly threads: number;
  /** Points of a thread, as far apart as the block has threads. */
  readonly turns: number;
}

function edited(rewrite: Rewrite): TextEdit {
  const { view, space, window, threads, turns } = rewrite;
  const { source } = view;
  const names = lineNames(source, space);
  const tile = freshName(source, `${window.parameter}Staged`);
  const length = threads * turns;
  const work = (all: readonly TextEdit[]): readonly string[] =>
    space.statements.map((node) => {
      const range = { start: node.startIndex, end: node.endIndex };
      return editedText(source, range, inside(all, range));
    });
  const outer = placeLines(space, names, { length, threads, work: work([]) });
  return lineWalk({
    ...{ view, space, names, length },
    once: space.region.start.type !== "for_statement",
    declarations: [`__shared__ ${window.elementType} ${tile}[${length + window.high - window.low}];`],
    piece: [
      `if (${conditionsOf(rewrite, names).join(" && ")}) {`,
      ...innerLines(rewrite, { names, tile, work: work(tileEdits(rewrite, { tile, names })) }).map(
        (line) => `  ${line}`,
      ),
      "} else {",
      ...outer.map((line) => `  ${line}`),
      "}",
    ],
  });
}

/** That all of a piece and of its windows lies inside, computed with a sign. */
function conditionsOf({ space, inner, threads, turns }: Rewrite, { first }: LineNames): readonly string[] {
  const [across] = space.axes;
  const whole = /^(int|long|long long|int32_t|int64_t)$/.test(plainType(across));
  const start = whole ? first : `static_cast<long long>(${first})`;
  const last = `${start} + ${threads * turns - 1}`;
  const all = inner.conditions.map(({ end, text }) => `${end === "first" ? start : last}${text}`);
  return [...new Set([...all, `${last} < ${across.extent}`])];
}

interface InnerPiece {
  readonly names: LineNames;
  readonly tile: string;
  readonly work: readonly string[];
}

/** Lines for a piece far from the ends: the tile is filled, then each thread does its points. */
function innerLines(rewrite: Rewrite, { names, tile, work }: InnerPiece): readonly string[] {
  const { view, space, window, threads, turns } = rewrite;
  const [across] = space.axes;
  const turn = freshName(view.source, "turn");
  const halo = window.high - window.low;
  const start = `${names.first}${signed(window.low)}`;
  const loop = ["#pragma unroll", `for (int ${turn} = 0; ${turn} < ${turns}; ++${turn}) {`];
  const own = `${turn} * ${threads} + threadIdx.x`;
  const beyond = `${threads * turns} + threadIdx.x`;
  return [
    ...loop,
    `  ${tile}[${own}] = ${window.parameter}[${start} + ${own}];`,
    "}",
    `if (threadIdx.x < ${halo})`,
    `  ${tile}[${beyond}] = ${window.parameter}[${start} + ${beyond}];`,
    "__syncthreads();",
    ...loop,
    `  const ${plainType(across)} ${across.name} = ${names.first} + ${own};`,
    ...[...space.definitions, ...work].map((line) => `  ${line}`),
    "}",
    "__syncthreads();",
  ];
}

function signed(value: number): string {
  if (value === 0) return "";
  return value < 0 ? ` - ${-value}` : ` + ${value}`;
}

/** The loads of the window as elements of the tile, and what else is plainer inside. */
function tileEdits(
  { view, space, window, inner }: Rewrite,
  { tile, names }: { readonly tile: string; readonly names: LineNames },
): readonly TextEdit[] {
  const loads = window.loads.map(({ node, indexNode }) => {
    const range = { start: indexNode.startIndex, end: indexNode.endIndex };
    const index = editedText(view.source, range, inside(inner.edits, range));
    return replaceNode(node, `${tile}[${index} - ${names.first}${signed(-window.low)}]`);
  });
  const beside = inner.edits.filter(
    ({ start, end }) => !loads.some((load) => start >= load.start && end <= load.end),
  );
  return [...loads, ...beside, ...unrolled(view, space)];
}
