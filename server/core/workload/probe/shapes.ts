import { entry } from "../../base/known";
import { evaluateSizeExpression } from "../size-expression";
import type { ShapeCase, SizeExpression } from "../spec";
import { isStrideName } from "./range-names";
import { withRowShares } from "../cases/row-shares";
import { partOfStated } from "./stated-sizes";
import type { SizeParts } from "./settings";
import { lengthOf, stridedTensors, stridesOf } from "./strided-tensor";

type Sizes = Readonly<Record<string, number>>;

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
  /** See `withRowShares`. */
  readonly led?: ReadonlyMap<string, SizeExpression>;
}

/** The first value of each size, by how many sizes there are. */
const powers: Readonly<Record<number, number>> = { 1: 1_048_576, 2: 1024, 3: 256, 4: 64 };
const leastPower = 16;
const rowsShare = 1 / 16;
const odd: readonly (readonly number[])[] = [
  [10_007, 1031, 129, 67],
  [33, 17, 5, 3],
  [4099, 523, 193, 37],
];
/**
 * Values of the numbers that nothing depends on, one for each shape, and by how much one is above the one
 * before it: two of them may be bounds of something.
 */
const [idle, idleStep] = [[2, 3, 1, 4], 5];
/** The same of those that are less than a size: as large as filters are. */
const [filter, filterStep] = [[11, 6, 3, 8], 1];
const mostElements = 4_194_304;
const [usualThreads, mostThreads] = [1_048_576, 4_194_304];
/** Warp-level instructions of a launch, of which a check makes a dozen: some seconds on the virtual GPU. */
const mostWork = 20_000_000;
/** Threads that give each multiprocessor of a large GPU its share of blocks. */
export const fillingThreads = 131_072;

/**
 * Shapes that fill a GPU and take well under a second on the virtual one: a large one, odd ones, a small one,
 * and one that is held out. `scale`: what the large one's sizes are multiplied with.
 */
export function proposeProbedShapes(plan: ShapePlan, scale = 1): readonly ShapeCase[] {
  if (plan.sizes.length + plan.others.length + plan.ranges.length === 0) return [{ sizes: {} }];
  const strides = stridesOf(plan.extents);
  const count = plan.sizes.filter((name) => !strides.includes(name)).length;
  const share = plan.hasRows === true ? rowsShare ** (1 / Math.max(1, count)) : 1;
  const whole = scaled(plan, powers[count] ?? leastPower, scale * share);
  const usual = plan.hasRows === true ? whole : filled(plan, whole);
  const told = withStated({ ...plan, stated: partOfStated(plan.stated ?? {}, scale) }, usual);
  const large = withTables(plan, withPassed(plan, told, scale));
  const rest = odd.map((values, index) =>
    sizesOf(plan, index + 1, (position) => at(values, Math.min(count, values.length) - 1) + 2 * position),
  );
  const [wide, tiny, held] = rest.map((sizes) => (isUsable(plan, sizes) ? sizes : undefined));
  const shapes = [
    { sizes: large },
    ...[wide, tiny].flatMap((sizes) => (sizes === undefined ? [] : [{ sizes }])),
    { sizes: held ?? smallerThan(plan, large), heldOut: true },
  ];
  return withRowShares(shapes, plan.led, (sizes) => isUsable(plan, sizes));
}

/** Half of the large shape, or more of it, where half of a size that is divided leaves no work. */
function smallerThan(plan: ShapePlan, large: Readonly<Record<string, number>>): Record<string, number> {
  const tried = [1 / 2, 3 / 4, 7 / 8].map((part) =>
    withStrides(reduced(large, plan.step, part), plan.extents, nearestOf(plan)),
  );
  return tried.find((sizes) => isUsable(plan, sizes)) ?? { ...large };
}

/** Of other sizes at least so much is left beside stated ones. */
const leastShare = 1 / 64;
/** How often stated sizes are halved, all of them together. */
const mostStatedHalvings = 10;
/** What is stated roughly, as 10k, may be so much beside the next size that the kernel takes. */
const roundingShare = 1 / 16;
/** Blocks of which each multiprocessor of a large GPU has one. */
const fillingBlocks = 128;
/** Far from the probes their work says little: no more turns of loops than so many. */
const mostTurns = 2 ** 27;
/** What is stated up to this stays as it is: widths of heads, channels, taps. */
const narrow = 256;

/**
 * The large shape with what is stated, in the place of what is usual: others are made smaller where that is
 * too much, then stated ones. The grid goes on to fill a GPU as long as anything else can be smaller.
 */
function withStated(plan: ShapePlan, sizes: Record<string, number>): Record<string, number> {
  const nearest = nearestOf(plan);
  const told = Object.entries(plan.stated ?? {})
    .map(([name, size]) => ({ name, size, near: nearest(name, size) }))
    .filter(
      ({ name, size, near }) => sizes[name] !== undefined && Math.abs(near - size) <= roundingShare * size,
    )
    .map(({ name, near }) => [name, near] as const);
  if (told.length === 0) return sizes;
  const blocks = threadsOf(plan, { ...sizes, ...Object.fromEntries(told) }) / plan.threadsPerBlock;
  const least = Math.min(fillingBlocks, blocks);
  return statedWithin(plan, sizes, { told, least }) ?? statedWithin(plan, sizes, { told, least: 0 }) ?? sizes;
}

/** Stated sizes with so many blocks at least, as large as is usable; undefined where none are. */
function statedWithin(
  plan: ShapePlan,
  sizes: Sizes,
  { told, least }: { readonly told: readonly (readonly [string, number])[]; readonly least: number },
): Record<string, number> | undefined {
  const nearest = nearestOf(plan);
  const stated = new Map(told);
  for (let halvings = 0; halvings <= mostStatedHalvings; halvings += 1) {
    for (let share = 1; share >= leastShare; share /= 2) {
      const others = Object.entries(sizes).map(([name, size]) => [name, nearest(name, size * share)]);
      const all = { ...Object.fromEntries(others), ...Object.fromEntries(stated) } as Record<string, number>;
      const tried = withStrides(all, plan.extents, nearest);
      const isFilling = threadsOf(plan, tried) >= least * plan.threadsPerBlock;
      // A size that cannot be as it is stated has no reason to be larger than a usual one.
      const isUsual = halvings === 0 || threadsOf(plan, tried) <= usualThreads;
      if (isFilling && isUsual && turnsOf(plan, tried) <= mostTurns && isUsable(plan, tried)) return tried;
    }
    const name = tooLarge(plan, { ...sizes, ...Object.fromEntries(stated) }, [...stated.keys()]);
    stated.set(name, nearest(name, Math.round(entry(Object.fromEntries(stated), name) / 2)));
  }
  return undefined;
}

/** Turns of all threads over the largest size that lies in no buffer together with one of the grid. */
function turnsOf(plan: ShapePlan, sizes: Sizes): number {
  const has = (text: SizeExpression, name: string): boolean => new RegExp(`\\b${name}\\b`).test(String(text));
  const ofGrid = plan.sizes.filter((name) => plan.grid.some((each) => has(each, name)));
  const looped = plan.sizes.filter(
    (name) => !plan.extents.some((each) => has(each, name) && ofGrid.some((other) => has(each, other))),
  );
  const turns = looped.filter((name) => !ofGrid.includes(name)).map((name) => entry(sizes, name));
  return threadsOf(plan, sizes) * Math.max(1, ...turns);
}

/** The stated size to be halved: of the grid while it is more than a GPU needs, else one that is no width. */
function tooLarge(plan: ShapePlan, sizes: Sizes, names: readonly string[]): string {
  const descending = [...names].sort((one, other) => entry(sizes, other) - entry(sizes, one));
  const inGrid = new RegExp(`\\b(?:${names.join("|")})\\b`, "g");
  const ofGrid = new Set(plan.grid.join(" ").match(inGrid));
  const isFull = threadsOf(plan, sizes) > fillingThreads;
  const preferred = descending.find((name) =>
    isFull ? ofGrid.has(name) : !ofGrid.has(name) && entry(sizes, name) > narrow,
  );
  return preferred ?? descending[0] ?? "";
}

const mostHalvings = 64;

/**
 * The large shape with what a program passes. The largest of its numbers is halved until that is not too
 * much, since small ones are widths of heads, channels and radii, which stay what they are.
 */
function withPassed(plan: ShapePlan, sizes: Record<string, number>, scale: number): Record<string, number> {
  const nearest = nearestOf(plan);
  const told = new Map(
    Object.entries(plan.passed ?? {}).filter(([name, size]) => sizes[name] !== undefined && size > 0),
  );
  if (told.size === 0) return sizes;
  const halve = (): void => {
    const [name, size] = [...told].reduce((most, each) => (each[1] > most[1] ? each : most));
    told.set(name, Math.ceil(size / 2));
  };
  for (let part = scale; part < 1; part *= 2) halve();
  for (let halvings = 0; halvings < mostHalvings; halvings += 1) {
    const own = [...told].map(([name, size]) => [name, nearest(name, size)] as const);
    const tried = withStrides({ ...sizes, ...Object.fromEntries(own) }, plan.extents, nearest);
    if (isUsable(plan, tried)) return tried;
    halve();
  }
  return sizes;
}

function at(values: readonly number[], index: number): number {
  return values[Math.max(0, index)] ?? 1;
}

function sizesOf(
  plan: ShapePlan,
  shape: number,
  value: (position: number) => number,
): Record<string, number> {
  const nearest = nearestOf(plan);
  const isFree = plan.nearest === undefined;
  const other = (name: string, size: number): number => (isFree ? size : nearest(name, size));
  const sizes = Object.fromEntries([
    ...plan.sizes.map(
      (name, position) => [name, ofParts(plan, name, nearest(name, value(position)))] as const,
    ),
    ...plan.others.map((name, position) => {
      const [values, step] = plan.lesser?.has(name) === true ? [filter, filterStep] : [idle, idleStep];
      return [name, other(name, at(values, shape) + step * position)] as const;
    }),
    ...plan.ranges.map((name) => [name, other(name, at([256, 100, 7, 77], shape))] as const),
  ]);
  return withStrides(withPitches(plan, sizes), plan.extents, nearest);
}

/** Sizes of which those that are called a stride lead over all of a size that is divided. */
function withPitches(
  { parts = new Map() }: ShapePlan,
  sizes: Record<string, number>,
): Record<string, number> {
  const divided = Object.entries(sizes).flatMap(([name, size]) => (parts.has(name) ? size : []));
  if (divided.length === 0) return sizes;
  const longest = Math.max(...divided);
  const led = Object.entries(sizes).map(([name, size]) => [
    name,
    isStrideName(name) ? Math.max(size, longest) : size,
  ]);
  return Object.fromEntries(led) as Record<string, number>;
}

/** Rows that a table has at least, where there is room for them: of words, of users, of nodes. */
const tableRows = 16_384;
const mostOfTable = mostElements / 4;

/** A large shape whose tables that are only read have as many rows as is usual. */
function withTables(plan: ShapePlan, sizes: Record<string, number>): Record<string, number> {
  let present = sizes;
  for (const [name, row] of plan.tables ?? []) {
    const length = evaluateSizeExpression(row, present);
    const rows = length.ok ? 2 ** Math.floor(Math.log2(mostOfTable / Math.max(1, length.value))) : 0;
    const more = { ...present, [name]: Math.min(tableRows, rows) };
    if (entry(more, name) > entry(present, name) && isUsable(plan, more)) present = more;
  }
  return present;
}

/** Parts of a size that is divided, at least, in any shape. */
const leastParts = 4;

/** A size with a few parts at least, where the kernel divides it. */
function ofParts({ parts }: ShapePlan, name: string, size: number): number {
  const split = parts?.get(name);
  if (split === undefined || split.rest < 0 || size >= leastParts * split.of) return size;
  return leastParts * split.of + (size % split.of);
}

function nearestOf({ step, nearest }: ShapePlan): (name: string, value: number) => number {
  return nearest ?? ((_, size) => step * Math.max(1, Math.round(size / step)));
}

/** Sizes with strides as long as the rows that they lead over: shorter ones lay a row over the next one. */
export function withStrides(
  sizes: Sizes,
  extents: readonly SizeExpression[],
  nearest: (name: string, value: number) => number,
): Record<string, number> {
  const longer = { ...sizes };
  for (const { axes, columns } of stridedTensors(extents)) {
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

/** The large shape, made smaller until its buffers and its grid are within the limits. */
function scaled(plan: ShapePlan, power: number, scale: number): Record<string, number> {
  for (let value = power * scale; value > 2; value /= 2) {
    const sizes = sizesOf(plan, 0, () => value);
    if (isUsable(plan, sizes)) return sizes;
  }
  return { ...(plan.proven ?? sizesOf(plan, 0, () => 2)) };
}

/** The large shape with the sizes of the grid doubled, as long as that is usable, until it fills a GPU. */
function filled(plan: ShapePlan, sizes: Sizes): Record<string, number> {
  let present = { ...sizes };
  const isIn = (name: string, expressions: readonly unknown[]): boolean =>
    new RegExp(`\\b${name}\\b`).test(expressions.join(" "));
  // A size that no buffer has is bounded by another one, as the columns of a matrix are by its stride.
  const inGrid = plan.sizes.filter((name) => isIn(name, plan.grid) && isIn(name, plan.extents));
  for (let grown = true; grown;) {
    grown = false;
    for (const name of inGrid) {
      if (threadsOf(plan, present) >= fillingThreads) return present;
      const next = doubled(present, name, plan.extents);
      if (!isUsable(plan, next)) continue;
      present = next;
      grown = true;
    }
  }
  return present;
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

function threadsOf(
  { grid, threadsPerBlock }: Pick<ShapePlan, "grid" | "threadsPerBlock">,
  sizes: Sizes,
): number {
  return grid.reduce<number>((product, expression) => {
    const outcome = evaluateSizeExpression(expression, sizes);
    return product * (outcome.ok ? outcome.value : 0);
  }, threadsPerBlock);
}

function reduced(sizes: Sizes, step: number, part: number): Record<string, number> {
  const less = (size: number): number => Math.max(step, step * Math.floor((size * part) / step));
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, less(size)]));
}

/** Whether no buffer has more elements than a check has time for. */
export function hasRoom(extents: readonly SizeExpression[], sizes: Sizes): boolean {
  return extents.every((extent) => {
    const elements = evaluateSizeExpression(extent, sizes);
    return elements.ok && elements.value > 0 && elements.value <= mostElements;
  });
}

function isUsable({ extents, grid, threadsPerBlock, work }: ShapePlan, sizes: Sizes): boolean {
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
