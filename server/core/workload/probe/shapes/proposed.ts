import { entry } from "../../../base/known";
import { evaluateSizeExpression } from "../../size-expression";
import type { ShapeCase } from "../../spec";
import { isStrideName } from "../range-names";
import { withRowShares } from "../../cases/row-shares";
import { partOfStated } from "../stated-sizes";
import { filled } from "./growth";
import { withinLaunches } from "./launch-caps";
import { isUsable, mostElements, nearestOf, related, type ShapePlan, type Sizes, withStrides } from "./plan";
import { withPassed, withStated } from "./told";
import { filterWidth, ownSizes, usualSizes } from "./usual-sizes";

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

/**
 * Shapes that fill a GPU and take well under a second on the virtual one: a large one, odd ones, a small one,
 * and one that is held out. `scale`: what the large one's sizes are multiplied with.
 */
export function proposeProbedShapes(plan: ShapePlan, scale = 1): readonly ShapeCase[] {
  if (plan.sizes.length + plan.others.length + plan.ranges.length === 0) return [{ sizes: {} }];
  const whole = firstSizes(plan, scale);
  const usual = plan.hasRows === true ? whole : filled(plan, whole);
  const count = ownSizes(plan).length;
  const told = withStated({ ...plan, stated: partOfStated(plan.stated ?? {}, scale) }, usual);
  const large = related(plan, withTables(plan, withPassed(plan, told, scale)));
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

/** The sizes of the large shape before they grow, as small as its buffers and its grid ask for. */
export function firstSizes(plan: ShapePlan, scale = 1): Record<string, number> {
  const count = ownSizes(plan).length;
  const share = plan.hasRows === true ? rowsShare ** (1 / Math.max(1, count)) : 1;
  return scaled(plan, powers[count] ?? leastPower, scale * share);
}

/** Half of the large shape, or more of it, where half of a size that is divided leaves no work. */
function smallerThan(plan: ShapePlan, large: Readonly<Record<string, number>>): Record<string, number> {
  const tried = [1 / 2, 3 / 4, 7 / 8].map((part) =>
    related(plan, withStrides(reduced(large, plan.step, part), plan.extents, nearestOf(plan))),
  );
  return tried.find((sizes) => isUsable(plan, sizes)) ?? { ...large };
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
  const usual = usualSizes(plan);
  const isFree = plan.nearest === undefined;
  const other = (name: string, size: number): number => (isFree ? size : nearest(name, size));
  const sizes = Object.fromEntries([
    ...plan.sizes.map(
      (name, position) =>
        [
          name,
          ofParts(
            plan,
            name,
            nearest(
              name,
              filterWidth(plan, name, shape) ?? withinLaunches(plan.caps, { name, shape }, value(position)),
            ),
          ),
        ] as const,
    ),
    ...plan.others.map((name, position) => {
      const called = usual.get(name);
      const width = filterWidth(plan, name, shape);
      if (width !== undefined) return [name, other(name, width)] as const;
      if (shape === 0 && called?.isFew === true) return [name, other(name, called.usual)] as const;
      const [values, step] = plan.lesser?.has(name) === true ? [filter, filterStep] : [idle, idleStep];
      return [name, other(name, at(values, shape) + step * position)] as const;
    }),
    ...plan.ranges.map((name) => [name, other(name, at([256, 100, 7, 77], shape))] as const),
  ]);
  return withinRoom(plan, related(plan, withStrides(withPitches(plan, sizes), plan.extents, nearest)));
}

/** Sizes with as many rows of each table as there is room for, at most. */
function withinRoom(
  { tables = new Map() }: ShapePlan,
  sizes: Record<string, number>,
): Record<string, number> {
  const most = [...tables].flatMap(([name, row]): (readonly [string, number])[] => {
    const length = evaluateSizeExpression(row, sizes);
    const rows = length.ok ? Math.max(leastRows, Math.floor(mostOfTable / Math.max(1, length.value))) : 0;
    return rows > 0 && entry(sizes, name) > rows ? [[name, rows]] : [];
  });
  return { ...sizes, ...Object.fromEntries(most) };
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
/** With fewer rows an index says too little. */
const leastRows = 4;

/** A large shape whose tables that are only read have as many rows as is usual. */
export function withTables(plan: ShapePlan, sizes: Record<string, number>): Record<string, number> {
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

/** The large shape, made smaller until its buffers and its grid are within the limits. */
function scaled(plan: ShapePlan, power: number, scale: number): Record<string, number> {
  const usual = usualSizes(plan);
  for (let value = power * scale; value > 2; value /= 2) {
    const sizes = sizesOf(plan, 0, (position) =>
      Math.min(value, usual.get(plan.sizes[position] ?? "")?.first ?? value),
    );
    if (isUsable(plan, sizes)) return sizes;
  }
  // Probes have no sizes of tables that no parameter tells.
  return { ...sizesOf(plan, 0, () => 2), ...plan.proven };
}

function reduced(sizes: Sizes, step: number, part: number): Record<string, number> {
  const less = (size: number): number => Math.max(step, step * Math.floor((size * part) / step));
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, less(size)]));
}
