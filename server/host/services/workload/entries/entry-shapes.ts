import { proposeProbedShapes, type ShapePlan } from "../../../../core/workload/probe/shapes";
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
const scales = [1, 1 / 2, 1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 1024];

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
