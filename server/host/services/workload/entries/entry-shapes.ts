import type { EntryObservation } from "../../../../core/ports/entry-prober";
import { grownRun, type SizedRun } from "../../../../core/workload/probe/shapes/growth";
import { launchCaps } from "../../../../core/workload/probe/shapes/launch-caps";
import type { ShapePlan } from "../../../../core/workload/probe/shapes/plan";
import { proposeProbedShapes } from "../../../../core/workload/probe/shapes/proposed";
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
  given: ShapePlan,
  worked: EntryProbes,
): Promise<TriedShapes> {
  const plan = { ...given, caps: capsOf(worked, given) };
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

/** What host code that launches again and again says of sizes. */
function capsOf({ settings, observations }: EntryProbes, { sizes }: ShapePlan): ShapePlan["caps"] {
  return launchCaps(
    settings,
    observations.map(({ launchCount }) => launchCount),
    sizes,
  );
}

/** What was tried so far. */
interface Tried {
  readonly shapes: ShapeCase[];
  readonly settings: Record<string, number>[];
  readonly observations: EntryObservation[];
}

/** Makes the large shape larger, as far as a call of it takes little. */
async function growLargest(session: EntrySession, plan: ShapePlan, tried: Tried): Promise<void> {
  const [seen] = tried.observations;
  const [shape] = tried.shapes;
  if (seen === undefined || shape === undefined) return;
  const present = await grownRun(plan, sizedRun(shape.sizes, seen), async (sizes) => {
    const larger = await session.grown(sizes);
    return larger.ok ? sizedRun(sizes, larger.value) : undefined;
  });
  tried.shapes[0] = { ...shape, sizes: present.sizes };
  tried.settings[0] = { ...present.sizes };
  tried.observations[0] = present.seen;
}

function sizedRun(sizes: ShapeCase["sizes"], seen: EntryObservation): SizedRun<EntryObservation> {
  return { sizes, seen, threads: threadsOf(seen), work: seen.warpInstructions };
}

function threadsOf({ launches }: EntryObservation): number {
  const volume = ([x, y, z]: readonly [number, number, number]): number => x * y * z;
  return launches.reduce((sum, { grid, block }) => sum + volume(grid) * volume(block), 0);
}
