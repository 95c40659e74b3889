import { entry } from "../../../../core/base/known";
import type { EntryObservation } from "../../../../core/ports/entry-prober";
import {
  doubled,
  fillingThreads,
  hasRoom,
  proposeProbedShapes,
  type ShapePlan,
} from "../../../../core/workload/probe/shapes";
import { withRowShares } from "../../../../core/workload/cases/row-shares";
import type { ShapeCase } from "../../../../core/workload/spec";
import type { EntryProbes, EntrySession } from "./entry-session";

/** Shapes with which the entry ran, and what these calls touched. */
export interface TriedShapes {
  readonly shapes: readonly ShapeCase[];
  readonly probes: EntryProbes;
}

/** Rows of a buffer that others lead into, in a shape of the search. */
const spareRows = 16;
/** What the sizes of the large shape are multiplied with, until a call of it takes little enough. */
const scales = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 64, 1 / 256, 1 / 1024, 1 / 4096, 1 / 16_384];

/**
 * The proposed shapes with which the entry runs: the largest one that takes little enough, and the others.
 * Where too few of them run, what worked in the search takes their place.
 */
export async function tryShapes(
  session: EntrySession,
  plan: ShapePlan,
  worked: EntryProbes,
): Promise<TriedShapes> {
  const shapes: ShapeCase[] = [];
  const settings: Record<string, number>[] = [];
  const observations: EntryProbes["observations"][number][] = [];
  const attempt = async (shape: ShapeCase): Promise<boolean> => {
    // Of sizes that are multiples of something, other ones may be the same once they are rounded.
    const sizes = JSON.stringify(shape.sizes);
    if (shapes.some((each) => JSON.stringify(each.sizes) === sizes)) return false;
    const seen = await session.shape(shape.sizes);
    if (!seen.ok) return false;
    shapes.push(shape);
    settings.push({ ...shape.sizes });
    observations.push(seen.value);
    return true;
  };
  for (const scale of scales) {
    const [large] = proposeProbedShapes(plan, scale);
    if (large !== undefined && (await attempt(large))) break;
  }
  await growLargest(session, plan, { shapes, settings, observations });
  const [, ...others] = proposeProbedShapes(plan);
  for (const shape of others) await attempt(shape);
  const spare = worked.settings.map((sizes) => ({
    sizes: { ...Object.fromEntries(plan.ranges.map((name) => [name, spareRows])), ...sizes },
  }));
  const missing = (isHeldOut: boolean): boolean =>
    !shapes.some(({ heldOut = false }) => heldOut === isHeldOut);
  if (missing(false)) for (const shape of spare.slice(0, 2)) await attempt(shape);
  if (plan.sizes.length > 0)
    for (const shape of spare.slice(2)) if (missing(true)) await attempt({ ...shape, heldOut: true });
  return { shapes, probes: { settings, observations } };
}

/** What was tried so far. */
interface Tried {
  readonly shapes: ShapeCase[];
  readonly settings: Record<string, number>[];
  readonly observations: EntryObservation[];
}

/** Warp-level instructions of a call that is not grown further: twice as many take seconds. */
const mostBefore = 6_000_000;
/** How much more threads there have to be for a size that is doubled. */
const leastGrowth = 1.5;

/** Doubles sizes of the large shape, as long as that makes more threads, until its launches fill a GPU. */
async function growLargest(session: EntrySession, plan: ShapePlan, tried: Tried): Promise<void> {
  const [first] = tried.observations;
  const [shape] = tried.shapes;
  if (first === undefined || shape === undefined) return;
  let present = { sizes: shape.sizes, seen: first };
  let names = plan.sizes;
  while (names.length > 0) {
    const growing: string[] = [];
    for (const name of names) {
      if (threadsOf(present.seen) >= fillingThreads || present.seen.warpInstructions > mostBefore) break;
      const next = largerSizes(plan, present.sizes, name);
      const seen = next && (await session.grown(next));
      if (next === undefined || seen?.ok !== true) continue;
      if (threadsOf(seen.value) < leastGrowth * threadsOf(present.seen)) continue;
      present = { sizes: next, seen: seen.value };
      growing.push(name);
    }
    names = growing;
  }
  tried.shapes[0] = { ...shape, sizes: present.sizes };
  tried.settings[0] = { ...present.sizes };
  tried.observations[0] = present.seen;
}

/** The sizes with one of them doubled; undefined where it has no such value, or buffers were too large. */
function largerSizes(
  { nearest, extents, led }: ShapePlan,
  sizes: ShapeCase["sizes"],
  name: string,
): Record<string, number> | undefined {
  const [{ sizes: larger } = { sizes }] = withRowShares(
    [{ sizes: doubled(sizes, name, extents) }],
    led,
    (each) => hasRoom(extents, each),
  );
  const size = entry(larger, name);
  if (nearest !== undefined && nearest(name, size) !== size) return undefined;
  return hasRoom(extents, larger) ? { ...larger } : undefined;
}

function threadsOf({ launches }: EntryObservation): number {
  const volume = ([x, y, z]: readonly [number, number, number]): number => x * y * z;
  return launches.reduce((sum, { grid, block }) => sum + volume(grid) * volume(block), 0);
}
