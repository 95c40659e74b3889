import { entry } from "../../../base/known";
import { evaluateSizeExpression } from "../../size-expression";
import type { SizeExpression } from "../../spec";
import type { SizeParts } from "../settings";
import { type SizeRelation, withRelations } from "./size-relations";
import { isLeadingDimension } from "../range-names";
import { lengthOf, stridedTensors } from "../strided-tensor";

export type Sizes = Readonly<Record<string, number>>;

/** What shapes are proposed for. */
export interface ShapePlan {
  /** Sizes that extents or the grid depend on. */
  readonly sizes: readonly string[];
  /** Whole numbers that nothing was seen to depend on. */
  readonly others: readonly string[];
  /** Those of the others that are less than a size: of a filter, of a window. */
  readonly lesser?: ReadonlySet<string>;
  /** Sizes that bound the values of an input. */
  readonly ranges: readonly string[];
  /** Every size is a multiple of this. */
  readonly step: number;
  /** The value that a size may have next to a wanted one; by the step when left out. */
  readonly nearest?: (name: string, value: number) => number;
  /** Every extent; they have to be above zero, and are kept within what a check has time for. */
  readonly extents: readonly SizeExpression[];
  readonly grid: readonly SizeExpression[];
  readonly threadsPerBlock: number;
  /** Warp-level instructions by the sizes, where that is known. */
  readonly work?: (sizes: Sizes) => number;
  /** What comments say of sizes: the large shape has it, where that is not too much. */
  readonly stated?: Readonly<Record<string, number>>;
  /** What a program passes for sizes: the large shape has it, made smaller until it is not too much. */
  readonly passed?: Readonly<Record<string, number>>;
  /** Ranges that are rows of tables which are only read, with the elements of a row. */
  readonly tables?: ReadonlyMap<string, SizeExpression>;
  /** Sizes of which the kernel has work for whole parts alone. */
  readonly parts?: ReadonlyMap<string, SizeParts>;
  /** Sizes that a launch was seen to run with, for want of better ones. */
  readonly proven?: Readonly<Record<string, number>>;
  /** Rows of different lengths take turns: fewer of them are enough. */
  readonly hasRows?: boolean;
  /** What has to hold of sizes and others. */
  readonly relations?: readonly SizeRelation[];
  /** See `withRowShares`. */
  readonly led?: ReadonlyMap<string, SizeExpression>;
  /** See `launchCaps`. */
  readonly caps?: ReadonlyMap<string, number>;
}

export const mostElements = 4_194_304;
const mostThreads = 4_194_304;
/** Warp-level instructions of a launch, of which a check makes a dozen: some seconds on the virtual GPU. */
const mostWork = 20_000_000;
/** Threads that give each multiprocessor of a large GPU its share of blocks. */
export const fillingThreads = 131_072;

export function nearestOf({ step, nearest }: ShapePlan): (name: string, value: number) => number {
  return nearest ?? ((_, size) => step * Math.max(1, Math.round(size / step)));
}

/** Sizes of which all relations hold. */
export function related(plan: ShapePlan, sizes: Sizes): Record<string, number> {
  const { relations = [] } = plan;
  return relations.length === 0 ? { ...sizes } : withRelations(sizes, relations, nearestOf(plan));
}

/** Sizes with strides as long as the rows that they lead over: shorter ones lay a row over the next one. */
export function withStrides(
  sizes: Sizes,
  extents: readonly SizeExpression[],
  nearest: (name: string, value: number) => number,
): Record<string, number> {
  const longer = { ...sizes };
  const tensors = stridedTensors(extents);
  for (const { axes, columns } of tensors) {
    const inwards = [...axes].reverse();
    const innermost = columns === undefined ? inwards.shift() : undefined;
    // Elements side by side, as in memory that was not transposed.
    if (innermost !== undefined) longer[innermost.stride] = nearest(innermost.stride, 1);
    let row =
      innermost === undefined
        ? entry(longer, columns ?? "")
        : (lengthOf(innermost, longer) - 1) * entry(longer, innermost.stride) + 1;
    for (const axis of inwards) {
      const { stride } = axis;
      longer[stride] = longEnough(stride, { own: entry(longer, stride), row, nearest });
      row += (lengthOf(axis, longer) - 1) * entry(longer, stride);
    }
  }
  // Of a table whose rows are found by index it is not seen how much of a row is read.
  const widest = Math.max(0, ...tensors.flatMap(({ columns }) => (columns ? entry(longer, columns) : [])));
  const known = new Set(
    tensors.flatMap(({ axes, columns }) => [columns, ...axes.map(({ stride }) => stride)]),
  );
  for (const name of Object.keys(longer))
    if (isLeadingDimension(name) && !known.has(name))
      longer[name] = longEnough(name, { own: entry(longer, name), row: widest, nearest });
  return longer;
}

/** A stride that leads over a row. */
function longEnough(
  stride: string,
  {
    own,
    row,
    nearest,
  }: {
    readonly own: number;
    readonly row: number;
    readonly nearest: (name: string, value: number) => number;
  },
): number {
  if (own >= row) return own;
  // Apart from the columns, so that neither stands for the other.
  const padded = nearest(stride, row + own);
  return padded >= row ? padded : nearest(stride, 2 * row);
}

/** Sizes of which one is doubled, and with it the strides of the axes that it lies within. */
export function doubled(
  sizes: Sizes,
  name: string,
  extents: readonly SizeExpression[],
): Record<string, number> {
  const around = stridedTensors(extents).flatMap(({ axes, columns }) => {
    const inner = columns === name ? axes.length : axes.findIndex(({ size }) => size === name);
    return axes.slice(0, Math.max(0, inner)).map(({ stride }) => stride);
  });
  const names = [...new Set([name, ...around])];
  return { ...sizes, ...Object.fromEntries(names.map((each) => [each, 2 * entry(sizes, each)])) };
}

export function threadsOf(
  { grid, threadsPerBlock }: Pick<ShapePlan, "grid" | "threadsPerBlock">,
  sizes: Sizes,
): number {
  return grid.reduce<number>((product, expression) => {
    const outcome = evaluateSizeExpression(expression, sizes);
    return product * (outcome.ok ? outcome.value : 0);
  }, threadsPerBlock);
}

/** Elements of all buffers. */
export function elementsIn(extents: readonly SizeExpression[], sizes: Sizes): number {
  return extents.reduce<number>((sum, extent) => {
    const elements = evaluateSizeExpression(extent, sizes);
    return sum + (elements.ok ? elements.value : 0);
  }, 0);
}

/** Whether no buffer has more elements than a check has time for. */
export function hasRoom(extents: readonly SizeExpression[], sizes: Sizes): boolean {
  return extents.every((extent) => {
    const elements = evaluateSizeExpression(extent, sizes);
    return elements.ok && elements.value > 0 && elements.value <= mostElements;
  });
}

export function isUsable({ extents, grid, threadsPerBlock, work }: ShapePlan, sizes: Sizes): boolean {
  const value = (expression: SizeExpression): number => {
    const outcome = evaluateSizeExpression(expression, sizes);
    return outcome.ok ? outcome.value : 0;
  };
  const blocks = grid.map(value);
  return (
    hasRoom(extents, sizes) &&
    blocks.every((size) => size > 0) &&
    threadsOf({ grid, threadsPerBlock }, sizes) <= mostThreads &&
    (work?.(sizes) ?? 0) <= mostWork
  );
}
