import constants from "./protocol.json";
import { randomNumbers } from "./random-numbers";
import { median } from "./statistics";

export type Side = "baseline" | "candidate";

/** Cold: the second-level cache is overwritten before each call. Sustained: calls follow each other. */
export type CacheState = "cold" | "sustained";

/** One timed call. */
export interface TimedCall {
  readonly side: Side;
  readonly cache: CacheState;
  /** What the inputs are drawn from: another for each pair, the same bytes for both sides of a pair. */
  readonly content: number;
  /** Which of the sets of buffers the call gets: another than the call before it had. */
  readonly buffers: number;
}

/**
 * The calls of one round, in order: baseline, candidate, candidate, baseline, or the mirror of it, so that a
 * drift of the clock falls on both sides alike. Which of the two, the contents and the buffers follow from
 * the secret seed. `sets` is the number of sets of buffers, at least two.
 */
export function planRound(
  round: number,
  options: { readonly seed: number; readonly cache: CacheState; readonly sets: number },
): readonly TimedCall[] {
  const random = randomNumbers(options.seed ^ Math.imul(round + 1, 0x85ebca6b));
  const drawContent = (): number => Math.floor(random() * 2 ** 32);
  const [early, late] = [drawContent(), drawContent()];
  const isMirrored = random() < 0.5;
  const outer: Side = isMirrored ? "candidate" : "baseline";
  const inner: Side = isMirrored ? "baseline" : "candidate";
  let buffers = Math.floor(random() * options.sets);
  const call = (side: Side, content: number): TimedCall => {
    buffers = (buffers + 1 + Math.floor(random() * (options.sets - 1))) % options.sets;
    return { side, cache: options.cache, content, buffers };
  };
  return [call(outer, early), call(inner, early), call(inner, late), call(outer, late)];
}

/** Whether calls have taken as long together as is enough where each is long: a few of those tell as much. */
export function isEnough(nanoseconds: readonly number[]): boolean {
  return sum(nanoseconds) >= constants.enoughSeconds * 1e9;
}

/**
 * Whether enough was run: `steady`, `more`, or `unsteady` where the clock did not settle in all the calls.
 * Of long calls fewer are compared.
 */
export function warmUpState(nanoseconds: readonly number[]): "steady" | "more" | "unsteady" {
  const isLong = isEnough(nanoseconds);
  const window = isLong ? constants.fewestCalls / 2 : constants.steadyWindow;
  if (nanoseconds.length >= 2 * window) {
    const late = median(nanoseconds.slice(-window));
    const early = median(nanoseconds.slice(-2 * window, -window));
    if (Math.abs(late / early - 1) <= constants.steadyDrift) return "steady";
  }
  const most = isLong ? constants.longWarmUps : constants.mostWarmUps;
  return nanoseconds.length >= most ? "unsteady" : "more";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
