import { decidingTime } from "../../../judge/time-that-counts";
import type { JudgedLaunch } from "../../../judge/verdict";
import { type CounterSums, type LineCounters, sumCounters } from "../../../timing/counters";
import type { GpuModel } from "../../../timing/gpu-model";
import type { SectorReuse } from "../../../timing/reuse";
import { gainOn, targetGpu } from "../evidence";
import type { KernelView } from "../cuda/kernel";
import type { RuleInput } from "../rule";
import type { DiagnosisEntry } from "./entry";

/** What the diagnoses look at: one correct kernel with everything that was counted while it ran. */
export interface Measured {
  readonly input: RuleInput;
  /** The source model; undefined for other dialects and for sources that do not parse. */
  readonly view: KernelView | undefined;
  /** The same of the kernel in its plain spelling, in which lines stay where they are. */
  readonly plain: KernelView | undefined;
  /** Lines of the kernel's own file that counted anything. */
  readonly lines: readonly LineCounters[];
  readonly totals: CounterSums;
  readonly gpu: GpuModel;
  /** The launch that takes most of the bound; undefined where launches are not known. */
  readonly launch: JudgedLaunch | undefined;
  /** Warps of all launches together, at least one. */
  readonly warps: number;
  readonly blocks: number;
  /** Lanes of a warp that have a thread, on average: fewer than 32 where blocks are no whole warps. */
  readonly lanes: number;
  /** Nanoseconds that shares are taken of: by simulation where that says more than the bound. */
  readonly time: number;
}

/** A waste that was found, with the fraction of the time that it costs. */
export interface Finding {
  readonly line: number;
  readonly share: number;
  /** Blanks for the sentence of diagnoses.json. */
  readonly blanks: Readonly<Record<string, string | number>>;
  /** True where the counters alone do not tell this cause from others that are near. */
  readonly guessed?: boolean;
}

/** Finds one kind of waste; nothing where there is none. */
export type Diagnosis = (measured: Measured, entry: DiagnosisEntry) => readonly Finding[];

const warpSize = 32;

/** Everything that the diagnoses share of one input. */
export function measuredOf(input: RuleInput, { view, plain }: Pick<Measured, "view" | "plain">): Measured {
  const { counters, bound, file } = input;
  const launches = input.launches ?? [];
  const [launch] = [...launches].sort((a, b) => b.bound.nanoseconds - a.bound.nanoseconds);
  const sum = (of: (each: JudgedLaunch) => number): number =>
    launches.reduce((total, each) => total + of(each) * each.times, 0);
  const blocks = sum((each) => each.blocks);
  const warps = sum((each) => each.blocks * Math.ceil(each.threadsPerBlock / warpSize));
  const threads = sum((each) => each.blocks * each.threadsPerBlock);
  return {
    ...{ input, view, plain, launch },
    lines: counters.lines.filter((entry) => entry.file === file),
    totals: counters.totals,
    gpu: targetGpu(input),
    warps: Math.max(1, warps),
    blocks: Math.max(1, blocks),
    lanes: warps === 0 ? warpSize : threads / warps,
    time: Math.max(bound.nanoseconds, decidingTime(bound) ?? 0, 1),
  };
}

/** What all terms of arithmetic and of issuing may lose. */
export const pipes = ["issue", "fp32", "fp64", "fp16", "integer", "conversion", "special"] as const;

/** The share of the time that a fraction of some terms costs, as the rules estimate it. */
export function shareOn({ input }: Measured, terms: Parameters<typeof gainOn>[1], fraction: number): number {
  return gainOn(input, terms, Math.min(1, Math.max(0, fraction)));
}

/** The share of the time that something takes which no term of the bound knows. */
export function shareOfTime({ time }: Measured, nanoseconds: number): number {
  return nanoseconds / Math.max(time, nanoseconds);
}

/** A fraction that stays one where there is nothing to take it of. */
export function fraction(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}

/** The line that has most of something; undefined where none has any. */
export function worstLine(
  lines: readonly LineCounters[],
  of: (line: LineCounters) => number,
): LineCounters | undefined {
  const [worst] = [...lines].sort((a, b) => of(b) - of(a));
  return worst !== undefined && of(worst) > 0 ? worst : undefined;
}

/** Sums over some of the lines. */
export function sumOf(lines: readonly LineCounters[]): CounterSums {
  return sumCounters(lines);
}

/** Sectors that were touched again by the block that had touched them, and by others. */
export function againOf(reuse: SectorReuse | undefined): { readonly own: number; readonly others: number } {
  const all = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return reuse === undefined
    ? { own: 0, others: 0 }
    : { own: all(reuse.sameBlock), others: all(reuse.otherBlocks) };
}
