import type { ProbedKernel } from "../../../../../core/ports/prober";
import type { ShapePlan } from "../../../../../core/workload/probe/shapes/plan";
import type { Dialect } from "../../../../../core/workload/spec";
import type { ArgumentLayout } from "../arguments/argument-layout";
import type { TriedLaunch } from "../find-grid";
import type { SeenTensors } from "./probed-tensors";

/** All that the probes of a kernel have told. */
export interface ProbeResult extends SeenTensors {
  /** Relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  readonly launch: TriedLaunch;
  readonly layout: ArgumentLayout;
  readonly compiled: Pick<ProbedKernel, "sharedBytes" | "instance" | "instanceRemark">;
  /** See `ShapePlan`. */
  readonly nearest?: ShapePlan["nearest"];
  /** See `ShapePlan`. */
  readonly parts?: ShapePlan["parts"];
  /** See `ShapePlan`. */
  readonly relations?: ShapePlan["relations"];
  /** Sizes that are less than others. */
  readonly lesser?: ReadonlySet<string>;
  /** The source, whose comments may speak of sizes. */
  readonly text?: string;
  /** See `ShapePlan`. */
  readonly passed?: ShapePlan["passed"];
}
