import type { GpuState } from "./gpu-state";
import type { MeasuredComparison } from "./measured-comparison";
import type { ErrorsOfGpu, ModelError } from "./model-error";
import type { CacheState } from "./timing-plan";

/** What timing on a GPU said of one shape. */
export interface MeasuredShape {
  readonly sizes: Readonly<Record<string, number>>;
  readonly cache: CacheState;
  /** Median of a call, in nanoseconds. */
  readonly nanoseconds: number;
  /** The clock had settled before the first timed call. */
  readonly isSteady: boolean;
  /** Against the baseline; left out where the baseline itself was timed. */
  readonly comparison?: MeasuredAgainst;
}

export interface MeasuredAgainst {
  readonly kind: MeasuredComparison["kind"];
  readonly baselineNanoseconds: number;
  /** The baseline's time by the candidate's, with its interval. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  readonly rounds: number;
}

/** What one run of a tool on a GPU of the target gave. */
export interface ToolRun {
  /** `ncu`, `compute-sanitizer memcheck` … */
  readonly name: string;
  /** The tool's own words about its version; left out where it did not answer. */
  readonly version?: string;
  /** What it printed. */
  readonly text: string;
}

/** Times of a kernel on a GPU. */
export interface Measurement {
  readonly origin: "measured";
  readonly before: GpuState;
  readonly after: GpuState;
  readonly shapes: readonly MeasuredShape[];
  /** Over all shapes and cache states, found twice; left out where the baseline itself was timed. */
  readonly kind?: MeasuredComparison["kind"];
  /** What kept the candidate's host code from everything else, by the names of the walls. */
  readonly protections: readonly string[];
  /** What the numbers do not rule out, a sentence each. */
  readonly remarks: readonly string[];
  /** How far the model was off on the profiled shape; it corrects nothing. */
  readonly modelError?: ModelError;
  /** The same of all that this GPU was timed with by this user. */
  readonly modelErrors?: ErrorsOfGpu;
}
