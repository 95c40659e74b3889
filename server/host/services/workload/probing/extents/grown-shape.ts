import type { InferredSpec } from "../../../../../core/language/inference";
import { settled } from "../../../../../core/workload/probe/settings";
import type { ProbeObservation } from "../../../../../core/workload/probe/observation";
import {
  grownRun,
  isFull,
  shortSizes,
  type SizedRun,
} from "../../../../../core/workload/probe/shapes/growth";
import { type ShapePlan, type Sizes, threadsOf } from "../../../../../core/workload/probe/shapes/plan";
import { firstSizes, withTables } from "../../../../../core/workload/probe/shapes/proposed";
import type { TriedLaunch } from "../find-grid";
import type { ProbeSession } from "../probe-session";

/** A spec whose shapes were proposed for a plan. */
interface Proposed {
  readonly inferred: InferredSpec;
  readonly plan: ShapePlan;
}

/**
 * The spec with a large shape whose sizes are usual ones, as far as launches of it take little: what few
 * sizes in small probes say of the work of many large ones is too uncertain.
 */
export async function withGrownShape(
  session: ProbeSession,
  { planned }: TriedLaunch,
  { inferred, plan }: Proposed,
): Promise<InferredSpec> {
  const [large, ...others] = inferred.spec.shapes;
  if (large === undefined || plan.hasRows === true) return inferred;
  const isTold = [plan.stated, plan.passed].some((told) => Object.keys(told ?? {}).length > 0);
  const start = isTold ? large.sizes : firstSizes(plan);
  const isLarge = isFull(plan, { sizes: large.sizes, threads: threadsOf(plan, large.sizes), work: 0 });
  if (shortSizes(plan, start).length === 0 && (isTold || isLarge)) return inferred;
  const run = async (sizes: Sizes): Promise<SizedRun<ProbeObservation> | undefined> => {
    const seen = await session.shape(planned, settled(session, sizes), "grown");
    if (!seen.ok || seen.value.isCut || seen.value.faults.length > 0) return undefined;
    return { sizes, seen: seen.value, threads: threadsOf(plan, sizes), work: seen.value.warpInstructions };
  };
  const first = await run(start);
  if (first === undefined) return inferred;
  const { sizes } = await grownRun(plan, first, run);
  const grown = { ...large, sizes: withTables(plan, { ...sizes }) };
  return { ...inferred, spec: { ...inferred.spec, shapes: [grown, ...others] } };
}
