import constants from "./protocol.json";
import { intervalOfRatios, type RatioInterval } from "./statistics";
import { type CacheState, isEnough, type Side } from "./timing-plan";

/** Times of one round, both calls of each side, in nanoseconds. */
export type TimedRound = Readonly<Record<Side, readonly [number, number]>>;

export interface MeasuredComparison extends RatioInterval {
  readonly kind: "faster" | "slower" | "no difference found";
  readonly cache: CacheState;
  readonly rounds: number;
}

/** The baseline's time by the candidate's, in one round. Times that are not above 0 are a broken timer. */
function ratioOf({ baseline, candidate }: TimedRound): number {
  return (baseline[0] + baseline[1]) / (candidate[0] + candidate[1]);
}

/**
 * Compares by the interval of the ratio alone: faster when its lower end is above 1 by the threshold of
 * protocol.json (a fraction), slower when its upper end is below the reciprocal. All else is no difference.
 */
export function compareRounds(
  rounds: readonly TimedRound[],
  { cache, seed }: { readonly cache: CacheState; readonly seed: number },
): MeasuredComparison {
  const interval = intervalOfRatios(rounds.map(ratioOf), {
    resamples: constants.resamples,
    trimmed: constants.trimmed,
    errorShare: constants.errorShare,
    seed,
  });
  return { ...interval, kind: kindOf(interval), cache, rounds: rounds.length };
}

function kindOf({ lower, upper }: RatioInterval): MeasuredComparison["kind"] {
  if (lower > 1 + constants.threshold) return "faster";
  return upper < 1 / (1 + constants.threshold) ? "slower" : "no difference found";
}

/**
 * Whether rounds are compared now. Resampling takes longer than a round of short calls, and before there are
 * enough rounds nothing is decided.
 */
export function isLookedAt(rounds: readonly TimedRound[]): boolean {
  const fewest = areLong(rounds) ? constants.fewestRounds : constants.leastRounds;
  if (rounds.length < fewest) return false;
  return areLong(rounds) || rounds.length % constants.roundsBetweenLooks === 0;
}

function areLong(rounds: readonly TimedRound[]): boolean {
  return isEnough(rounds.flatMap(({ baseline, candidate }) => [...baseline, ...candidate]));
}

/**
 * Whether further rounds are to be run. Only the width of the interval is asked, never which side it favours:
 * to stop when a win shows would find wins in noise. Of long rounds there are fewer, at least `fewestRounds`.
 */
export function needsMoreRounds(comparison: MeasuredComparison, rounds: readonly TimedRound[]): boolean {
  const isLong = areLong(rounds);
  if (comparison.rounds < (isLong ? constants.fewestRounds : constants.leastRounds)) return true;
  if (isLong || comparison.rounds >= constants.mostRounds) return false;
  return (comparison.upper - comparison.lower) / 2 > constants.halfWidth * comparison.ratio;
}

/** A win counts when a fresh process with other seeds finds it too, and neither cache state got slower. */
export function confirmedKind(
  first: readonly MeasuredComparison[],
  fresh: readonly MeasuredComparison[],
): MeasuredComparison["kind"] {
  const kinds = [...first, ...fresh].map(({ kind }) => kind);
  if (kinds.includes("slower")) return kinds.includes("faster") ? "no difference found" : "slower";
  const found = first.some(
    ({ kind, cache }) =>
      kind === "faster" && fresh.some((again) => again.cache === cache && again.kind === "faster"),
  );
  return found ? "faster" : "no difference found";
}

/** What several shapes come to together: one that got slower is not paid for by others. */
export function overallKind(kinds: readonly MeasuredComparison["kind"][]): MeasuredComparison["kind"] {
  const isFaster = kinds.includes("faster");
  if (kinds.includes("slower")) return isFaster ? "no difference found" : "slower";
  return isFaster ? "faster" : "no difference found";
}
