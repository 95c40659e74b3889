import type { KernelProfile } from "../../../../../core/words/profile";
import type { SimulationView } from "../../../../../protocol/performance-views";

/** What a kernel was counted to do in one shape, as its file was then. */
export interface CountedKernel {
  /** sha256 of the file. */
  readonly digest: string;
  readonly profile: KernelProfile;
  /** Of all its launches; null where they were not simulated. */
  readonly simulatedNanoseconds: number | null;
  readonly shapes: readonly string[];
  readonly trouble: string;
  readonly measuredNanoseconds: number | null;
  readonly simulation: SimulationView | null;
  /** As it was counted when the file had another text. */
  readonly before: CountedCost | undefined;
}

/** What a version does and how long it takes. */
export type CountedCost = Pick<CountedKernel, "profile" | "simulatedNanoseconds">;

/** Kernels whose counts are kept; each is some kilobytes for each of its lines. */
const keptAtMost = 32;

/** Keeps counts; the oldest go. */
export function keepCounted(kept: Map<string, CountedKernel>, key: string, counted: CountedKernel): void {
  kept.delete(key);
  kept.set(key, counted);
  const [oldest] = kept.keys();
  if (kept.size > keptAtMost && oldest !== undefined) kept.delete(oldest);
}
