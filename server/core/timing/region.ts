import type { ModelledBound } from "../judge/verdict";
import { relativeHostTime } from "./host/host-calls";
import type { LaunchProfile } from "./launch-profile";

/** A kernel and its launches in one run of a program. */
interface LaunchedKernel {
  readonly kernel: string;
  readonly profiles: readonly LaunchProfile[];
}

/** What of two runs of a program differs. */
interface Region<Kernel> {
  readonly before: readonly Kernel[];
  readonly after: readonly Kernel[];
}

/**
 * The kernels whose launches are not the same in two runs of a program: other shapes, another number of them,
 * other counts, or a kernel that only one of the runs has. What `isJudged` names belongs to it in any case.
 */
export function changedRegion<Kernel extends LaunchedKernel>(
  before: readonly Kernel[],
  after: readonly Kernel[],
  isJudged: (kernel: string) => boolean,
): Region<Kernel> {
  const keyed = (kernels: readonly Kernel[]): ReadonlySet<string> => new Set(kernels.map(keyOf));
  const [old, now] = [keyed(before), keyed(after)];
  return {
    before: before.filter((each) => isJudged(each.kernel) || !now.has(keyOf(each))),
    after: after.filter((each) => isJudged(each.kernel) || !old.has(keyOf(each))),
  };
}

function keyOf({ kernel, profiles }: LaunchedKernel): string {
  return JSON.stringify([kernel, profiles]);
}

/**
 * A bound in relation to another one: every part is as much longer or shorter as `to` is than `from`,
 * and host code is told by what it takes more. A simulated time is left out where one of the three has none.
 */
export function scaledBound(
  bound: ModelledBound,
  { from, to }: { readonly from: ModelledBound; readonly to: ModelledBound },
): ModelledBound {
  const factor = to.nanoseconds / from.nanoseconds;
  const terms = Object.fromEntries(
    Object.entries(bound.terms).map(([name, value]) => [name, value * factor]),
  );
  const { simulatedNanoseconds: simulated, simulatedLimit, host: now, ...rest } = bound;
  const host = relativeHostTime(now, from.host, factor);
  const [then, target] = [from.simulatedNanoseconds, to.simulatedNanoseconds];
  const isSimulated = simulated !== undefined && then !== undefined && target !== undefined;
  return {
    ...rest,
    ...{ nanoseconds: bound.nanoseconds * factor, terms },
    ...(host && { host }),
    ...(isSimulated && { simulatedNanoseconds: (simulated * target) / then }),
    ...(isSimulated && simulatedLimit !== undefined && { simulatedLimit }),
  };
}
