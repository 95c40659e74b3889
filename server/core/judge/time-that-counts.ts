import { at, known } from "../base/known";
import thresholds from "./comparison.json";
import type { CorrectVerdict, ModelledBound, Verdict } from "./verdict";

/** One time for all versions of a kernel, so that they can be put in an order. */
export interface TimeThatCounts {
  readonly by: "measured" | "simulation" | "bound";
  /** Nanoseconds. */
  readonly of: (verdict: CorrectVerdict) => number;
}

/**
 * Which time counts among versions of one kernel, or kernels of one program: that of a GPU where all were
 * timed on the same one; that of the simulation where it is known of all and lies so far apart between two
 * of them that it decides a comparison; else the modelled bound.
 */
export function timeThatCounts(verdicts: readonly (Verdict | null | undefined)[]): TimeThatCounts {
  const correct = verdicts.filter((each) => each?.kind === "correct");
  const [first] = correct;
  // What the host code of all takes alike says nothing about any.
  const shared = Math.min(...correct.map(hostNanoseconds));
  const byBound: TimeThatCounts = {
    by: "bound",
    of: (verdict) => verdict.bound.nanoseconds + hostNanoseconds(verdict) - shared,
  };
  if (first === undefined) return byBound;
  const gpu = first.measured?.before.uuid;
  if (gpu !== undefined && correct.every((each) => isTimedOn(each, gpu)))
    return { by: "measured", of: measuredTime };
  const simulated = correct.map(({ bound }) => bound.simulatedNanoseconds ?? Number.NaN);
  const [most, least] = [Math.max(...simulated), Math.min(...simulated)];
  const fill = correct.every(({ bound }) => decidingTime(bound) !== undefined);
  if (fill ? !isClearlyApart(least, most) : !isFarApart(least, most)) return byBound;
  return {
    by: "simulation",
    of: (verdict) =>
      (verdict.bound.simulatedNanoseconds ?? verdict.bound.nanoseconds) + hostNanoseconds(verdict) - shared,
  };
}

/**
 * The simulated time, in nanoseconds, where it may decide between versions: launches that do not fill the GPU
 * wait for latencies that larger ones hide.
 */
export function decidingTime({ simulatedNanoseconds, fillsGpu = true }: ModelledBound): number | undefined {
  return fillsGpu ? simulatedNanoseconds : undefined;
}

/**
 * Whether simulated times of a version and of the one before it differ so much that they say which is faster:
 * the simulation is rougher than the bound where little changes.
 */
export function isClearlyApart(now: number, then: number): boolean {
  const gain = Math.abs(1 - now / then);
  return gain >= thresholds.simulatedGain && Math.abs(now - then) >= thresholds.simulatedNanoseconds;
}

/**
 * Whether a simulated time is so much less that it says which version is faster also where launches do not
 * fill the GPU: of 64 rewrites that an H100 timed, none of the 48 that won three eighths or more by
 * simulation took longer there by more than 3 % (`test/cases/orderings/rewrites-h100.json`).
 */
export function isFarApart(now: number, then: number): boolean {
  return isClearlyApart(now, then) && now <= then * (1 - thresholds.simulatedGainAnywhere);
}

function hostNanoseconds({ bound }: CorrectVerdict): number {
  return bound.host?.nanoseconds ?? 0;
}

function isTimedOn({ measured }: CorrectVerdict, gpu: string): boolean {
  return measured?.before.uuid === gpu && measured.shapes.length > 0;
}

function measuredTime({ measured }: CorrectVerdict): number {
  return at(known(measured, "times on a GPU").shapes, 0).nanoseconds;
}
