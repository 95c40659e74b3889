import { retold } from "../../../../../core/base/localized";
import { shown } from "../../../handshake/user-language";
import { t } from "../../../../../core/base/localized";
import { type GpuModel, gpuNames } from "../../../../../core/timing/gpu-model";
import { performanceFigure } from "../../../../../core/timing/pictures/figure";
import { formatTarget, type Target } from "../../../../../core/timing/target";
import type { ComparedFigure, PerformanceView } from "../../../../../protocol/performance-views";
import type { PerformanceParams } from "../../../../../protocol/requests";
import type { CountedCost, CountedKernel } from "./counted-kernel";

/** Launches of further shapes are drawn as little as they tell. */
const launchesAtMost = 16;

const notSimulated =
  "Nothing was simulated: host code launches kernels of a library or more than 16 times, or the machine code could not be followed.";

interface WhereModelled {
  readonly target: Target;
  readonly own: GpuModel;
  readonly other: GpuModel | undefined;
}

/** A counted kernel on the GPU of the target, beside what came before and another GPU. */
export const toPerformanceView = shown(
  (
    { kernel, shape = 0 }: PerformanceParams,
    counted: CountedKernel,
    { target, own, other }: WhereModelled,
  ): PerformanceView => {
    const { before, shapes, trouble, measuredNanoseconds, simulation } = counted;
    return {
      trouble: retold(trouble),
      ...{ kernel, shape, shapes, measuredNanoseconds, simulation },
      notSimulated: simulation === null ? retold(notSimulated) : "",
      target: formatTarget(target),
      gpus: gpuNames(),
      figures: [
        figureOf("now", counted, own),
        ...(before === undefined ? [] : [figureOf("before", before, own)]),
        ...(other === undefined
          ? []
          : [figureOf("other", { ...counted, simulatedNanoseconds: null }, other)]),
      ],
    };
  },
);

/** The longest launches first. */
function figureOf(
  role: ComparedFigure["role"],
  { profile: { kernel, profiles }, simulatedNanoseconds }: CountedCost,
  gpu: GpuModel,
): ComparedFigure {
  const figure = performanceFigure(profiles, gpu, kernel);
  const launches = [...figure.launches].sort((a, b) => b.nanoseconds - a.nanoseconds);
  return {
    role,
    title: role === "before" ? t`Before the edit, on ${gpu.name}` : t`Now, on ${gpu.name}`,
    ...{ ...figure, simulatedNanoseconds },
    launches: launches.slice(0, launchesAtMost),
  };
}
