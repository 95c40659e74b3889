import type { LaunchShapes } from "../../../core/ports/launch-shapes";
import type { Recordings } from "../../../core/ports/recordings";
import type { VirtualGpu } from "../gpu/virtual-gpu";
import type { GpuOptions } from "../hardware/target-gpu";
import type { StageLimits } from "./cuda-runner";
import type { WorkerSiteOptions } from "./worker-site";

export interface WorkerEvaluatorOptions extends WorkerSiteOptions, GpuOptions {
  readonly virtualGpu: VirtualGpu;
  readonly launchShapes: LaunchShapes;
  readonly recordings: Recordings;
  readonly limits?: Partial<StageLimits>;
  /** What inputs are drawn from; secret seeds when left out. */
  readonly seed?: number;
}
