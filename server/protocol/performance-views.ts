import type { PerformanceFigure } from "../core/timing/pictures/figure";

/** What the page of a kernel's performance shows, as numbers and names: nothing of it is source text. */
export interface PerformanceView {
  readonly kernel: string;
  /** `vgpu:sm_80`. */
  readonly target: string;
  /** Visible shapes of the workload, as `rows=256 cols=256`. */
  readonly shapes: readonly string[];
  /** Index of the one that is shown. */
  readonly shape: number;
  /** GPUs that the launches can be modelled on; none of launches whose counts are one sum. */
  readonly gpus: readonly string[];
  /** The launches as they are first; then what they are compared with. */
  readonly figures: readonly ComparedFigure[];
  /** Empty of a kernel that runs and is correct; else what is wrong with it, on one line. */
  readonly trouble: string;
  /** Median of a call on the target's GPU; null where none was timed. */
  readonly measuredNanoseconds: number | null;
  /** One multiprocessor while it runs a launch; null where nothing was simulated. */
  readonly simulation: SimulationView | null;
  /** Why nothing was simulated, in a sentence. */
  readonly notSimulated: string;
}

/** What is drawn beside what. All of it is modelled. */
export interface ComparedFigure extends PerformanceFigure {
  /** `before`: counted before the file changed, or the baseline; `other`: the same counts on another GPU. */
  readonly role: "now" | "before" | "other";
  /** `Now, on A100 40GB SXM`. */
  readonly title: string;
  /** Of all launches together, by simulation of the machine code; null where that was not done. */
  readonly simulatedNanoseconds: number | null;
}

/** A simulated launch on the GPU of the target. */
export interface SimulationView {
  readonly kernel: string;
  readonly gpu: string;
  readonly nanoseconds: number;
  readonly residentWarps: number;
  /** Part of its instructions that was simulated, 0 to 1. */
  readonly simulatedShare: number;
  readonly instructionsPerClock: number;
  /** Whether the simulated warps went the way that was counted; if not, its time says nothing. */
  readonly isSound: boolean;
  /** Parts of the time that units were busy, 0 to 1. */
  readonly busy: readonly { readonly unit: string; readonly share: number }[];
  /** At most 64, in their order. */
  readonly stretches: readonly StretchView[];
}

/** What the resident warps do in a stretch of time. */
interface StretchView {
  readonly fromNanoseconds: number;
  readonly instructionsPerClock: number;
  /** Parts of the warps' time, in the order of `warpActivities`; they add up to 1. */
  readonly shares: readonly number[];
}
