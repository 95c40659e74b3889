import { termOf } from "../bound";
import type { CorrectVerdict, JudgedLaunch } from "../../judge/verdict";
import type { GpuModel } from "../gpu-model";
import type { LaunchProfile } from "../launch-profile";
import { type PerformanceFigure, performanceFigure } from "./figure";

/** A version as its verdict tells it: the counts of all launches are one sum there. */
export interface JudgedFigure {
  readonly figure: PerformanceFigure;
  /** Whether the launches have one shape, so that they can be modelled on any GPU. */
  readonly isWhole: boolean;
}

/**
 * The figure of a verdict on the GPU that it was modelled on, or on another one. Launches of several shapes
 * are drawn as one of the shape that takes longest; their time is the verdict's. Undefined for a verdict that
 * does not tell its launches, as those of earlier versions.
 */
export function judgedFigure(
  { counters, bound, shapeBounds, launches = [] }: CorrectVerdict,
  gpu: GpuModel,
  kernel: string,
): JudgedFigure | undefined {
  const [longest] = [...launches].sort((a, b) => b.bound.nanoseconds - a.bound.nanoseconds);
  if (longest === undefined) return undefined;
  const isWhole = launches.length === 1;
  const figure = performanceFigure(
    [{ ...joined(longest, launches), counters: counters.totals }],
    gpu,
    kernel,
  );
  const judged = shapeBounds?.[0]?.bound ?? bound;
  if (isWhole || judged.gpu !== gpu.name) return { figure, isWhole };
  const terms = Object.entries(judged.terms).map(([name, nanoseconds]) => ({ name, nanoseconds }));
  return {
    isWhole,
    figure: {
      ...figure,
      nanoseconds: judged.nanoseconds,
      binding: judged.binding,
      terms: terms.sort((a, b) => b.nanoseconds - a.nanoseconds),
      launches: figure.launches.map((launch) => ({
        ...launch,
        nanoseconds: judged.nanoseconds - termOf(judged, "launch"),
        binding: judged.binding,
      })),
    },
  };
}

function joined(
  { bound: _, kernel, ...shape }: JudgedLaunch,
  launches: readonly JudgedLaunch[],
): Omit<LaunchProfile, "counters"> {
  const sum = (of: (launch: JudgedLaunch) => number): number =>
    launches.reduce((total, each) => total + of(each), 0);
  return {
    ...shape,
    ...(kernel === undefined ? {} : { kernel }),
    times: sum(({ times }) => times),
    footprintBytes: sum(({ footprintBytes }) => footprintBytes),
  };
}
