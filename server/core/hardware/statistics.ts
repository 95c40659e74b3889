import { at } from "../base/known";
import { randomNumbers } from "./random-numbers";

/** What resampling says of a ratio. */
export interface RatioInterval {
  /** Baseline's time by candidate's: above 1 the candidate is faster. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
}

interface ResamplingOptions {
  readonly resamples: number;
  /** Share of the rounds that is left out at each end, 0 to below 0.5. */
  readonly trimmed: number;
  /** Chance that the true ratio is below `lower`, and the same above `upper`. */
  readonly errorShare: number;
  readonly seed: number;
}

/** The middle value; the mean of the two middle ones of an even number. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/**
 * The trimmed mean of the rounds' ratios with its interval, by bootstrap over rounds. Ratios are averaged as
 * logarithms, so that exchanging the sides gives the reciprocal. Needs at least one round; all are above 0.
 */
export function intervalOfRatios(ratios: readonly number[], options: ResamplingOptions): RatioInterval {
  const sorted = Float64Array.from(ratios, Math.log).sort();
  const random = randomNumbers(options.seed);
  const counts = new Uint32Array(sorted.length);
  const means = new Float64Array(options.resamples);
  for (let resample = 0; resample < options.resamples; resample += 1) {
    counts.fill(0);
    for (let draw = 0; draw < sorted.length; draw += 1) {
      const drawn = Math.floor(random() * sorted.length);
      counts[drawn] = (counts[drawn] as number) + 1;
    }
    means[resample] = trimmedMean(sorted, counts, options.trimmed);
  }
  means.sort();
  const outside = Math.floor(options.errorShare * options.resamples);
  return {
    ratio: Math.exp(trimmedMean(sorted, counts.fill(1), options.trimmed)),
    lower: Math.exp(at(means, outside)),
    upper: Math.exp(at(means, means.length - 1 - outside)),
  };
}

/** Mean of ascending values, each as often as its count says, without the share at both ends. */
function trimmedMean(sorted: Float64Array, counts: Uint32Array, trimmed: number): number {
  const left = Math.floor(trimmed * sorted.length);
  const right = sorted.length - left;
  let passed = 0;
  let sum = 0;
  for (let index = 0; passed < right; index += 1) {
    const next = passed + (counts[index] as number);
    const taken = Math.min(next, right) - Math.max(passed, left);
    if (taken > 0) sum += (sorted[index] as number) * taken;
    passed = next;
  }
  return sum / (right - left);
}
