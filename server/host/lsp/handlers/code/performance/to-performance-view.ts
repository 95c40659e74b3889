import { defaultGpu, type GpuModel, gpuNamed, gpuNames } from "../../../../../core/timing/gpu-model";
import { performanceFigure } from "../../../../../core/timing/pictures/figure";
import { formatTarget, type Target } from "../../../../../core/timing/target";
import type { KernelProfile } from "../../../../../core/words/profile";
import type { ComparedFigure, PerformanceView } from "../../../../../protocol/performance-views";
import type { PerformanceParams } from "../../../../../protocol/requests";
import type { CountedKernel } from "./counted-kernel";

/** Launches of further shapes are drawn as little as they tell. */
const launchesAtMost = 16;

/** A counted kernel on the GPU of the target, beside what came before and another GPU. */
export function toPerformanceView(
  { kernel, shape = 0, gpu }: PerformanceParams,
  counted: CountedKernel,
  target: Target,
): PerformanceView {
  const { profile, before, shapes, trouble, measuredNanoseconds, simulation } = counted;
  const own = defaultGpu(target.architecture);
  return {
    ...{ kernel, shape, shapes, trouble, measuredNanoseconds, simulation },
    target: formatTarget(target),
    gpus: gpuNames(),
    figures: [
      figureOf("now", profile, own),
      ...(before === undefined ? [] : [figureOf("before", before, own)]),
      ...(gpu === undefined || gpu === own.name ? [] : [figureOf("other", profile, gpuNamed(gpu))]),
    ],
  };
}

/** The longest launches first. */
function figureOf(
  role: ComparedFigure["role"],
  { kernel, profiles }: KernelProfile,
  gpu: GpuModel,
): ComparedFigure {
  const figure = performanceFigure(profiles, gpu, kernel);
  const launches = [...figure.launches].sort((a, b) => b.nanoseconds - a.nanoseconds);
  return { role, ...figure, launches: launches.slice(0, launchesAtMost) };
}
