import { type Outcome, fail, succeed } from "../base/outcome";
import {
  compareRounds,
  isLookedAt,
  type MeasuredComparison,
  needsMoreRounds,
  type TimedRound,
} from "./measured-comparison";
import constants from "./protocol.json";
import { median } from "./statistics";
import { type CacheState, isEnough, planRound, type Side, type TimedCall, warmUpState } from "./timing-plan";

/** Makes one call and gives the nanoseconds that it took, or why there was none. */
type TimeCall<Problem> = (call: TimedCall) => Promise<Outcome<number, Problem>>;

export interface MeasuringOptions {
  readonly cache: CacheState;
  /** Secret. */
  readonly seed: number;
  /** How many sets of buffers there are, at least two. */
  readonly sets: number;
}

/** One side after its warm-up. */
interface MeasuredSide {
  /** Median nanoseconds of a call. */
  readonly nanoseconds: number;
  /** The clock had settled before the first of them. */
  readonly isSteady: boolean;
}

interface MeasuredSides extends MeasuredComparison, Readonly<Record<Side, MeasuredSide>> {}

/** Rounds behind all those of a comparison: their plans give the calls of the warm-up. */
const warmUpRounds = 1_000_000;
/** Of warm-up calls, which are neither compared nor judged. */
const warmUpContent = 0;
/** How often one side alone is timed. */
const callsAlone = 80;

/** Warms both sides up, then times round after round until the interval of the ratio is narrow enough. */
export async function measureSides<Problem>(
  call: TimeCall<Problem>,
  options: MeasuringOptions,
): Promise<Outcome<MeasuredSides, Problem>> {
  const baseline = await warmUp(call, "baseline", options);
  if (!baseline.ok) return baseline;
  const candidate = await warmUp(call, "candidate", options);
  if (!candidate.ok) return candidate;
  const rounds: TimedRound[] = [];
  let comparison: MeasuredComparison | undefined;
  while (comparison === undefined || needsMoreRounds(comparison, rounds)) {
    const round = await timeRound(call, planRound(rounds.length, options));
    if (!round.ok) return round;
    rounds.push(round.value);
    comparison = isLookedAt(rounds) ? compareRounds(rounds, options) : undefined;
  }
  const sideOf = (side: Side, isSteady: boolean): MeasuredSide => ({
    nanoseconds: median(rounds.flatMap((round) => round[side])),
    isSteady,
  });
  return succeed({
    ...comparison,
    baseline: sideOf("baseline", baseline.value),
    candidate: sideOf("candidate", candidate.value),
  });
}

/** The time of the baseline alone. */
export async function measureAlone<Problem>(
  call: TimeCall<Problem>,
  options: MeasuringOptions,
): Promise<Outcome<MeasuredSide, Problem>> {
  const isSteady = await warmUp(call, "baseline", options);
  if (!isSteady.ok) return isSteady;
  const nanoseconds: number[] = [];
  while (needsMoreCalls(nanoseconds))
    for (const each of planRound(nanoseconds.length, options)) {
      const timed = await call({ ...each, side: "baseline" });
      if (!timed.ok) return timed;
      nanoseconds.push(timed.value);
    }
  return succeed({ nanoseconds: median(nanoseconds), isSteady: isSteady.value });
}

function needsMoreCalls(nanoseconds: readonly number[]): boolean {
  return nanoseconds.length < (isEnough(nanoseconds) ? constants.fewestCalls : callsAlone);
}

async function timeRound<Problem>(
  call: TimeCall<Problem>,
  plan: readonly TimedCall[],
): Promise<Outcome<TimedRound, Problem>> {
  const times: Record<Side, number[]> = { baseline: [], candidate: [] };
  for (const each of plan) {
    const timed = await call(each);
    if (!timed.ok) return timed;
    times[each.side].push(timed.value);
  }
  const pair = ([early = 0, late = 0]: readonly number[]): readonly [number, number] => [early, late];
  return succeed({ baseline: pair(times.baseline), candidate: pair(times.candidate) });
}

/** Calls one side until its clock has settled, or for as long as it may take: whether it has. */
async function warmUp<Problem>(
  call: TimeCall<Problem>,
  side: Side,
  options: MeasuringOptions,
): Promise<Outcome<boolean, Problem>> {
  const times: number[] = [];
  for (;;) {
    for (const each of planRound(warmUpRounds + times.length, options)) {
      const timed = await call({ ...each, side, content: warmUpContent });
      if (!timed.ok) return fail(timed.problem);
      times.push(timed.value);
    }
    const state = warmUpState(times);
    if (state !== "more") return succeed(state === "steady");
  }
}
