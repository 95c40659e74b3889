import { entry } from "../../../base/known";
import type { SizeExpression } from "../../spec";
import {
  fillingThreads,
  isUsable,
  nearestOf,
  type ShapePlan,
  type Sizes,
  threadsOf,
  withStrides,
} from "./plan";

const usualThreads = 1_048_576;
/** Of other sizes at least so much is left beside stated ones. */
const leastShare = 1 / 64;
/** And so many, before stated ones are made smaller: loops of a few turns tell nothing. */
const leastOther = 16;
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
export function withStated(plan: ShapePlan, sizes: Record<string, number>): Record<string, number> {
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
  return (
    statedWithin(plan, sizes, { told, least, other: leastOther }) ??
    statedWithin(plan, sizes, { told, least, other: 1 }) ??
    statedWithin(plan, sizes, { told, least: 0, other: 1 }) ??
    sizes
  );
}

interface Told {
  readonly told: readonly (readonly [string, number])[];
  /** Blocks, at least. */
  readonly least: number;
  /** What others are at least, where they were as much. */
  readonly other: number;
}

/** Stated sizes with so many blocks at least, as large as is usable; undefined where none are. */
function statedWithin(
  plan: ShapePlan,
  sizes: Sizes,
  { told, least, other }: Told,
): Record<string, number> | undefined {
  const nearest = nearestOf(plan);
  const stated = new Map(told);
  for (let halvings = 0; halvings <= mostStatedHalvings; halvings += 1) {
    for (let share = 1; share >= leastShare; share /= 2) {
      const others = Object.entries(sizes).map(([name, size]) => [name, nearest(name, size * share)]);
      const all = { ...Object.fromEntries(others), ...Object.fromEntries(stated) } as Record<string, number>;
      const tried = withStrides(all, plan.extents, nearest);
      const isTiny = plan.sizes.some(
        (name) => !stated.has(name) && entry(all, name) < Math.min(entry(sizes, name), other),
      );
      if (isTiny) continue;
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
export function withPassed(
  plan: ShapePlan,
  sizes: Record<string, number>,
  scale: number,
): Record<string, number> {
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
