import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { warpLevelUse } from "../../../../../language/cuda/body/threads";
import { constantValue } from "../../../../../language/cuda/constants";
import { compact, lineOf, partsOf } from "../../../../../language/query";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, targetGpu, wasteOf } from "../../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../../kernel";
import { blockShape, launchedBlocks } from "../block-shape";
import { countedBlocks, numbersElsewhere } from "./counted-blocks";
import { sideBySide } from "./side-by-side";

/** Blocks of before that stand side by side in one. */
const lanes = 32;

const warp = 32;

/** Columns of four bytes that fill a sector. */
const few = 8;

/** Threads of a block that take a column each, the most first. */
const sizes = [128, 64, 32] as const;

/**
 * A block for each column of an array whose rows lie apart: 32 such blocks side by side in one, so that the
 * lanes of a warp touch neighbouring columns; or one thread for each column.
 */
export const blocksSideBySide = defineRule("cuda-blocks-side-by-side", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const crossed = crossedAccesses(input, view);
  if (crossed === undefined)
    return not("no-pattern", "no blocks touch neighbouring elements while their threads do not", view.line);
  const { value, ideal } = crossed;
  const total = input.counters.totals.globalLoadSectors + input.counters.totals.globalStoreSectors;
  const share = shareSaved(value - ideal, total);
  if (wasteOf(value, ideal) < threshold(entry, "ratio") || share < threshold(entry, "shareLeast"))
    return not(
      "no-evidence",
      "threads of a block do not move many more sectors than they need",
      crossed.line,
    );
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], share);
  const block = blockOf(input, view);
  if (isNot(block)) return { ...block, gain };
  const held = numbersElsewhere(view);
  if (held !== undefined) return { ...held, gain };
  const { threads, isPlane } = block;
  const blocks = launchedBlocks(input, view) ?? 0;
  const isCut = warpLevelUse(view.model, view.kernel) !== undefined;
  const { multiprocessors } = targetGpu(input);
  const all = shapesFor({ threads, blocks, multiprocessors, isCut: isCut || isPlane }).map((shape, place) =>
    variant(input, entry, { view, crossed, threads, isPlane, ...shape, gain: gain * (1 - place / 100) }),
  );
  return all.some((each) => each.kind === "proposal") ? all : all.slice(0, 1);
});

interface Block {
  readonly threads: number;
  /** True where x is the lane and y the warp. */
  readonly isPlane: boolean;
}

/** A block that is a row of threads, or whose rows are warps: as the file says it, where it does. */
function blockOf(input: RuleInput, view: KernelView): Block | RuleHold {
  const shape = blockShape(input, view);
  if (isNot(shape)) return shape;
  const [launch] = view.launches;
  const written = launch?.block.map(({ text }) => constantValue(text, launch.names) ?? 0) ?? [];
  const product = (sizes: readonly number[]): number => sizes.reduce((so, size) => so * size, 1);
  const isWritten = written.length > 0 && product(written) === product(shape.sizes);
  const [wide = 1, high = 1, deep = 1] = isWritten ? written : shape.sizes;
  const isPlane = high > 1;
  if (deep > 1 || (isPlane && wide !== warp))
    return not("launch", `the block is ${shape.sizes.join(" × ")}`, view.line);
  return { threads: wide * high, isPlane };
}

interface Shape {
  /** Columns of a block. */
  readonly wide: number;
  /** Threads that share a column. */
  readonly rows: number;
  /** True where warps are cut into parts for each column. */
  readonly isCut: boolean;
}

interface Known {
  readonly threads: number;
  readonly blocks: number;
  readonly multiprocessors: number;
  /** True where the threads of a block work together as warps. */
  readonly isCut: boolean;
}

/** Eight columns of four warps, each of four threads for a column. */
const cut: Shape = { wide: few, rows: 16, isCut: true };

/**
 * What a block may be: as many threads for a warp's columns; where that leaves multiprocessors idle, many for
 * the few columns that fill a sector; and one for each column.
 */
function shapesFor({ threads, blocks, multiprocessors, isCut }: Known): readonly Shape[] {
  const rows = Math.min(32, Math.max(8, threads / lanes));
  const filling = { wide: few, rows: Math.min(128, Math.max(32, threads / few)), isCut: false };
  const each = sizes.find((size) => blocks >= size * multiprocessors) ?? lanes;
  if (isCut) return [cut, { wide: each, rows: 1, isCut: false }];
  const broad = { wide: lanes, rows, isCut: false };
  const shared = blocks >= lanes * multiprocessors ? [broad] : [filling, broad];
  return [...shared, { wide: each, rows: 1, isCut: false }];
}

interface Crossed {
  readonly line: number;
  readonly value: number;
  readonly ideal: number;
}

/** Lines with accesses at which neighbouring blocks touch neighbouring elements, and threads do not. */
function crossedAccesses(input: RuleInput, view: KernelView): Crossed | undefined {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const lines = new Map<number, Crossed>();
  for (const { node, indexNode } of [...accesses, ...atomics]) {
    const form = indexNode === undefined ? undefined : formIn(view, indexNode);
    if (form === undefined) continue;
    const apart = [...form].some(([key, times]) => times === 1 && isBlock(key));
    if (!apart || form.get("threadIdx.x") === 1) continue;
    const counts = countsOf(input, node);
    lines.set(lineOf(node), {
      line: lineOf(node),
      value: counts.globalLoadSectors + counts.globalStoreSectors,
      ideal: counts.globalLoadSectorsIdeal + counts.globalStoreSectorsIdeal,
    });
  }
  const [worst, ...others] = [...lines.values()].sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined) return undefined;
  const sum = (field: "value" | "ideal"): number =>
    others.reduce((so, each) => so + each[field], worst[field]);
  return { line: worst.line, value: sum("value"), ideal: sum("ideal") };
}

/** The number of the block along x, or a digit of it. */
function isBlock(key: string): boolean {
  return /^\(?(?:\(int\))?\(?blockIdx\.x\)?(?:%[\w.]+)?\)?$/.test(key);
}

interface Variant extends Shape {
  readonly view: KernelView;
  readonly crossed: Crossed;
  /** Threads of a block as it is. */
  readonly threads: number;
  readonly isPlane: boolean;
  readonly gain: number;
}

function variant(
  input: RuleInput,
  entry: RuleEntry,
  { view, crossed: { line, value, ideal }, threads, isPlane, gain, ...shape }: Variant,
): RuleAnswer {
  const { rows, wide } = shape;
  const [column = "column", columns = "columns"] = ["column", "columns"].map((wish) =>
    freshName(view.source, wish),
  );
  const body = sideBySide(view, { threads, isPlane, ...shape, column, columns });
  if (isNot(body)) return { ...body, gain };
  const block = rows === 1 ? String(wide) : `dim3(${wide}, ${rows})`;
  const launched = countedBlocks(input, view, { each: wide, threads: block, count: columns });
  if (isNot(launched)) return { ...launched, gain };
  const facts = { file: input.file, line, counter: "globalLoadSectors" as const, value, ideal };
  const bytes = sharedBytes(view, { wide, isSame: wide * rows === threads });
  return {
    kind: "proposal",
    tree: editedTree(input, [...launched, ...bytes, ...body]),
    hypothesis: fillSentence(entry.hypothesis, {
      ...{ columns: String(wide), threads: rows === 1 ? "one thread" : `${rows} threads` },
    }),
    evidence: evidenceFor(entry, facts),
    gain,
  };
}

/**
 * Dynamic shared memory for as many columns: the block's own where it follows from the threads, of which
 * there are as many.
 */
function sharedBytes(
  view: KernelView,
  { wide, isSame }: { readonly wide: number; readonly isSame: boolean },
): readonly TextEdit[] {
  const configuration = view.launches[0]?.call.children.find(({ type }) => type === "kernel_call_syntax");
  const [, block, bytes] = partsOf(configuration);
  if (bytes === undefined || block === undefined || compact(bytes) === "0") return [];
  const follows = new RegExp(`(?<![\\w.])${block.text.replace(/\W/g, "\\$&")}(?![\\w.])`).test(bytes.text);
  return isSame && follows ? [] : [replaceNode(bytes, `(${bytes.text}) * ${wide}`)];
}
