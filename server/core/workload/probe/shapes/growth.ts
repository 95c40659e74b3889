import { entry } from "../../../base/known";
import { withRowShares } from "../../cases/row-shares";
import {
  doubled,
  elementsIn,
  fillingThreads,
  hasRoom,
  isUsable,
  related,
  type ShapePlan,
  type Sizes,
  threadsOf,
} from "./plan";
import { ownSizes, usualSizes } from "./usual-sizes";

/** Sizes whose names say nothing grow up to here: a loop over some hundreds shows what it waits for. */
const usualLength = 256;
/** Warp-level instructions up to which sizes grow to what is usual: tenths of a second on the virtual GPU. */
const mostLengthened = 3_000_000;
/** The same of a call that is not grown further: twice as many take seconds. */
const mostBefore = 6_000_000;
/** How much more threads there have to be for a size that is doubled. */
const leastGrowth = 1.5;

/** Elements of all buffers that take a GPU some microseconds to read: fewer are gone through in no time. */
const fillingElements = 2_097_152;

/** A run with sizes, and what it cost. */
export interface SizedRun<Seen> {
  readonly sizes: Sizes;
  readonly seen: Seen;
  readonly threads: number;
  /** Warp-level instructions. */
  readonly work: number;
}

/** Runs with sizes; undefined where that fails or takes too much. */
type RunSizes<Seen> = (sizes: Sizes) => Promise<SizedRun<Seen> | undefined>;

/**
 * The run with sizes doubled until they are usual ones, the one that is farthest below that first, as long as
 * a run takes little; and then with those that make more threads, until these fill a GPU.
 */
export async function grownRun<Seen>(
  plan: ShapePlan,
  first: SizedRun<Seen>,
  run: RunSizes<Seen>,
): Promise<SizedRun<Seen>> {
  return widened(plan, await lengthened(plan, first, run), run);
}

async function lengthened<Seen>(
  plan: ShapePlan,
  first: SizedRun<Seen>,
  run: RunSizes<Seen>,
): Promise<SizedRun<Seen>> {
  let present = first;
  const failed = new Set<string>();
  for (;;) {
    const name = shortSizes(plan, present.sizes).find((each) => !failed.has(each));
    if (name === undefined || present.work > mostLengthened / 2) return present;
    const sizes = largerSizes(plan, present.sizes, name);
    const next = sizes && (await run(sizes));
    if (next !== undefined && next.work <= mostLengthened) present = next;
    else failed.add(name);
  }
}

async function widened<Seen>(
  plan: ShapePlan,
  first: SizedRun<Seen>,
  run: RunSizes<Seen>,
): Promise<SizedRun<Seen>> {
  let present = first;
  let names = plan.sizes;
  while (names.length > 0) {
    const growing: string[] = [];
    for (const name of names) {
      if (isFull(plan, present) || present.work > mostBefore) break;
      const sizes = isUsualAlready(plan, present.sizes, name)
        ? undefined
        : largerSizes(plan, present.sizes, name);
      const next = sizes && (await run(sizes));
      if (next === undefined || next.threads < leastGrowth * present.threads) continue;
      if (present.threads >= fillingThreads && next.work > mostLengthened) continue;
      present = next;
      growing.push(name);
    }
    names = growing;
  }
  return present;
}

/**
 * Sizes that are less than half of what is usual, the one that is farthest below it first. What comments or a
 * program say of a size is not usual, but known.
 */
export function shortSizes(plan: ShapePlan, sizes: Sizes): readonly string[] {
  const usual = usualSizes(plan);
  const ratio = (name: string): number => (usual.get(name)?.usual ?? usualLength) / entry(sizes, name);
  const isKnown = (name: string): boolean =>
    plan.stated?.[name] !== undefined || plan.passed?.[name] !== undefined;
  return ownSizes(plan)
    .filter((name) => !isKnown(name) && ratio(name) >= 2)
    .sort((one, other) => ratio(other) - ratio(one));
}

/** Whether there are usually few of something, and as many already: more would only fill the GPU. */
function isUsualAlready(plan: ShapePlan, sizes: Sizes, name: string): boolean {
  const found = usualSizes(plan).get(name);
  return found?.isFew === true && entry(sizes, name) >= found.usual;
}

/** The sizes with one of them doubled; undefined where it has no such value, or buffers were too large. */
function largerSizes(plan: ShapePlan, sizes: Sizes, name: string): Record<string, number> | undefined {
  const { nearest, extents, led, caps } = plan;
  const [{ sizes: larger } = { sizes }] = withRowShares(
    [{ sizes: related(plan, doubled(sizes, name, extents)) }],
    led,
    (each) => hasRoom(extents, each),
  );
  const size = entry(larger, name);
  if (size > (caps?.get(name) ?? Infinity)) return undefined;
  if (size <= entry(sizes, name) || (nearest !== undefined && nearest(name, size) !== size)) return undefined;
  return hasRoom(extents, larger) ? { ...larger } : undefined;
}

/** Whether a GPU is filled, and what little work there is for each element takes it some time. */
export function isFull(
  { extents }: ShapePlan,
  { sizes, threads, work }: Pick<SizedRun<unknown>, "sizes" | "threads" | "work">,
): boolean {
  if (threads < fillingThreads) return false;
  return work > mostLengthened / 2 || elementsIn(extents, sizes) >= fillingElements;
}

/** The large shape with the sizes of the grid doubled, as long as that is usable, until it fills a GPU. */
export function filled(plan: ShapePlan, sizes: Sizes): Record<string, number> {
  let present = { ...sizes };
  const isIn = (name: string, expressions: readonly unknown[]): boolean =>
    new RegExp(`\\b${name}\\b`).test(expressions.join(" "));
  // A size that no buffer has is bounded by another one, as the columns of a matrix are by its stride.
  const inGrid = plan.sizes.filter((name) => isIn(name, plan.grid) && isIn(name, plan.extents));
  for (let grows = true; grows;) {
    grows = false;
    for (const name of inGrid) {
      if (threadsOf(plan, present) >= fillingThreads) return present;
      const next = related(plan, doubled(present, name, plan.extents));
      if (isUsualAlready(plan, present, name) || !isUsable(plan, next)) continue;
      if (entry(next, name) <= entry(present, name)) continue;
      present = next;
      grows = true;
    }
  }
  return present;
}
