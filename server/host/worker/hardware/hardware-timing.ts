import { at } from "../../../core/base/known";
import { randomInt } from "node:crypto";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import {
  confirmedKind,
  type MeasuredComparison,
  overallKind,
} from "../../../core/hardware/measured-comparison";
import type { MeasuredShape, Measurement } from "../../../core/hardware/measurement";
import { measureAlone, measureSides, type MeasuringOptions } from "../../../core/hardware/measuring";
import type { CacheState } from "../../../core/hardware/timing-plan";
import type { Tier } from "../../../core/judge/verdict";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { GpuRuntime } from "./gpu-runtime";
import { bufferSets, type HardwareCalls } from "./hardware-calls";
import type { HardwareSessions } from "./hardware-sessions";
import type { CallProblem } from "./secret-comparisons";

interface TimingOptions {
  readonly shapes: readonly ResolvedShape[];
  readonly tier: Tier;
  /** Whether there is a candidate beside the baseline. */
  readonly compares: boolean;
}

/** What a comparison found. */
export type FoundKind = MeasuredComparison["kind"];

interface Measuring {
  readonly runtime: Pick<GpuRuntime, "protections">;
  readonly sessions: Pick<HardwareSessions, "remarks">;
}

interface Measured extends Pick<Measurement, "before" | "after"> {
  readonly timed: Timed;
  readonly notes: readonly string[];
  readonly kind: FoundKind | undefined;
}

export interface Timed {
  readonly shapes: readonly MeasuredShape[];
  /** For each shape what its cache states said. */
  readonly found: readonly (readonly MeasuredComparison[])[];
}

/** The quick tier times with a cold cache alone: it steers, and the full tier decides. */
const cachesOf: Readonly<Record<Tier, readonly CacheState[]>> = {
  quick: ["cold"],
  full: ["cold", "sustained"],
};
const seeds = 2 ** 32;

/** Times every shape in every cache state, with a secret plan. */
export async function timeShapes(
  calls: HardwareCalls,
  { shapes, tier, compares }: TimingOptions,
): Promise<Outcome<Timed, CallProblem>> {
  const measured: MeasuredShape[] = [];
  const found: MeasuredComparison[][] = [];
  for (const shape of shapes) {
    const ofShape: MeasuredComparison[] = [];
    for (const cache of cachesOf[tier]) {
      const options = { cache, seed: randomInt(seeds), sets: bufferSets };
      const one = compares
        ? await comparedShape(calls, shape, { ...options, into: ofShape })
        : await loneShape(calls, shape, options);
      if (!one.ok) return one;
      measured.push(one.value);
    }
    found.push(ofShape);
  }
  const problem = await calls.settled();
  if (problem !== undefined) return fail(problem);
  return succeed({ shapes: measured, found });
}

/** What two timings of the same shapes come to: a win that only one of them found is none. */
export function kindOf(first: Timed, fresh: Timed): FoundKind {
  return overallKind(first.found.map((each, shape) => confirmedKind(each, at(fresh.found, shape))));
}

async function comparedShape(
  calls: HardwareCalls,
  shape: ResolvedShape,
  { into, ...options }: MeasuringOptions & { readonly into: MeasuredComparison[] },
): Promise<Outcome<MeasuredShape, CallProblem>> {
  const sides = await measureSides((call) => calls.time(shape, call), options);
  if (!sides.ok) return sides;
  const { kind, ratio, lower, upper, rounds, cache, baseline, candidate } = sides.value;
  into.push({ kind, ratio, lower, upper, rounds, cache });
  return succeed({
    sizes: shape.shape.sizes,
    cache,
    nanoseconds: candidate.nanoseconds,
    isSteady: baseline.isSteady && candidate.isSteady,
    comparison: { kind, baselineNanoseconds: baseline.nanoseconds, ratio, lower, upper, rounds },
  });
}

async function loneShape(
  calls: HardwareCalls,
  shape: ResolvedShape,
  options: MeasuringOptions,
): Promise<Outcome<MeasuredShape, CallProblem>> {
  const alone = await measureAlone((call) => calls.time(shape, call), options);
  if (!alone.ok) return alone;
  return succeed({ sizes: shape.shape.sizes, cache: options.cache, ...alone.value });
}

/** What times that were taken come to, with what belongs to them. */
export function measurementOf(
  { runtime, sessions }: Measuring,
  { before, after, timed, notes, kind }: Measured,
): Measurement {
  return {
    origin: "measured",
    before,
    after,
    shapes: timed.shapes,
    ...(kind && { kind }),
    protections: runtime.protections,
    remarks: [
      ...sessions.remarks,
      ...notes,
      ...(timed.shapes.every(({ isSteady }) => isSteady)
        ? []
        : ["The clock did not settle before the first timed call."]),
      ...(after.heldBack.length === 0
        ? []
        : [`While it was timed the clock was held back by ${after.heldBack.join(", ")}.`]),
    ],
  };
}
