import thresholds from "./comparison.json";
import type { CommandScore, ScoredVerdict } from "./verdict";
import type { Comparison } from "./comparison-result";
import { describeScore } from "../words/score";

/**
 * Compares the scores that a command gave for two versions. A gain counts from half a percent on, and from
 * three times the noise of both; with a single run the noise is not known, and five percent are needed.
 */
export function compareScores({ score: now }: ScoredVerdict, { score: then }: ScoredVerdict): Comparison {
  const gain = gainOf(now, then);
  const least = leastGain(now, then);
  const sentence = `${describeScore(then)} → ${describeScore(now)}, by the command itself`;
  if (Math.abs(gain) < least)
    return {
      kind: "same",
      by: "command",
      gain,
      sentence: `${sentence}; too little to count (${percent(least)} would)`,
    };
  return {
    kind: gain > 0 ? "better" : "worse",
    by: "command",
    gain,
    sentence: `${sentence} (${percent(gain)} better)`,
  };
}

/** Fraction that the score improved by, negative when it became worse. */
function gainOf(now: CommandScore, then: CommandScore): number {
  const change = now.better === "lower" ? then.median - now.median : now.median - then.median;
  return then.median === 0 ? Math.sign(change) : change / Math.abs(then.median);
}

function leastGain(now: CommandScore, then: CommandScore): number {
  if (now.noise === undefined || then.noise === undefined) return thresholds.singleRunGain;
  return Math.max(thresholds.scoreGain, thresholds.scoreNoise * Math.hypot(now.noise, then.noise));
}

/**
 * The median of the runs, and their noise: the median distance from it, as a fraction, in terms of a normal
 * distribution.
 */
export function scoreOf(
  values: readonly number[],
  { better, unit }: Pick<CommandScore, "better" | "unit">,
): CommandScore {
  const median = medianOf(values);
  const spread = 1.4826 * medianOf(values.map((value) => Math.abs(value - median)));
  const scale = median === 0 ? 1 : Math.abs(median);
  return {
    values,
    median,
    ...(values.length > 1 ? { noise: spread / scale } : {}),
    better,
    ...(unit === undefined ? {} : { unit }),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)}%`;
}
