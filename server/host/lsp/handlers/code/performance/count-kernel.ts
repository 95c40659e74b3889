import { OperationalError } from "../../../../../core/base/operational-error";
import type { CorrectVerdict, Verdict } from "../../../../../core/judge/verdict";
import {
  isWalkedAsCounted,
  type LaunchModel,
  warpActivities,
} from "../../../../../core/timing/execution/launch-model";
import { formatTarget, type Target } from "../../../../../core/timing/target";
import { describeSizes, describeVerdict } from "../../../../../core/words/describe";
import { unitWords } from "../../../../../core/words/model-text";
import type { SimulationView } from "../../../../../protocol/performance-views";
import type { PerformanceParams } from "../../../../../protocol/requests";
import type { ServerContext } from "../../../context";
import { digestOf } from "../../../documents";
import { textOnDisk } from "../../../uris";
import { type CountedKernel, keepCounted } from "./counted-kernel";

interface HowToCount {
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Below this share of the time a unit counts as idle. */
const idleShare = 0.005;

/** Counts a kernel as it is on disk, unless its file is as it was when it was counted last. */
export async function countKernel(
  context: ServerContext,
  { uri, kernel, shape = 0, again = false }: PerformanceParams,
  { target, signal }: HowToCount,
): Promise<CountedKernel> {
  const digest = digestOf((await textOnDisk(uri)) ?? "");
  const key = [uri, kernel, shape, formatTarget(target)].join("\n");
  const last = context.counted.get(key);
  if (last?.digest === digest && !again) return last;
  const { services, file } = await context.workspaces.placeOf(uri);
  const { spec, verdict, profile, models } = await services.judge.model(
    { file, kernel },
    { target, signal, shape },
  );
  const trouble =
    verdict === undefined || verdict.kind === "correct"
      ? ""
      : describeVerdict(verdict).replace(/\s*\n.*/s, "");
  if (profile === undefined)
    throw new OperationalError("tool-failed", { forUser: `${kernel} cannot be drawn: ${trouble}` });
  const visible = spec.spec.shapes.filter(({ heldOut }) => heldOut !== true);
  const counted: CountedKernel = {
    ...{ digest, profile, trouble },
    shapes: visible.map(({ sizes }, index) =>
      describeSizes(index === 0 ? (spec.spec.pricedAt ?? sizes) : sizes),
    ),
    measuredNanoseconds: verdict === undefined ? null : measuredTime(verdict),
    simulation: simulationOf(models, kernel),
    simulatedNanoseconds: simulatedTime(verdict, models),
    before: last === undefined || last.digest === digest ? last?.before : last,
  };
  keepCounted(context.counted, key, counted);
  return counted;
}

/** As a check tells it; of a kernel that is wrong, what its only launch takes. */
function simulatedTime(verdict: Verdict | undefined, models: readonly LaunchModel[]): number | null {
  if (verdict?.kind === "correct") return verdict.simulatedNanoseconds ?? null;
  const [only, ...others] = models;
  return only !== undefined && others.length === 0 && isWalkedAsCounted(only) ? only.nanoseconds : null;
}

function measuredTime(verdict: Verdict): number | null {
  if (verdict.kind !== "correct") return null;
  const { measured, evidence }: CorrectVerdict = verdict;
  const sizes = describeSizes(evidence.sizes);
  return measured?.shapes.find((each) => describeSizes(each.sizes) === sizes)?.nanoseconds ?? null;
}

/** Of the launch that takes longest. The machine code has the kernel's mangled name. */
function simulationOf(models: readonly LaunchModel[], name: string): SimulationView | null {
  const [longest] = [...models].sort((a, b) => b.nanoseconds - a.nanoseconds);
  if (longest === undefined) return null;
  const { gpu, nanoseconds, residentWarps, simulatedShare, instructionsPerClock } = longest;
  return {
    ...{ gpu, nanoseconds, residentWarps, simulatedShare, instructionsPerClock },
    kernel: longest.kernel.includes(name) ? name : longest.kernel,
    isSound: isWalkedAsCounted(longest),
    busy: Object.entries(longest.busy)
      .filter(([, share]) => share >= idleShare)
      .map(([unit, share]) => ({ unit: unitWords[unit] ?? unit, share: Math.min(1, share) }))
      .sort((a, b) => b.share - a.share),
    stretches: longest.timeline.map((stretch) => ({
      fromNanoseconds: stretch.fromNanoseconds,
      instructionsPerClock: stretch.instructionsPerClock,
      shares: warpActivities.map((activity) => stretch.activities[activity]),
    })),
  };
}
