/** Two printed numbers are one result when they differ by less, relative to the larger. */
const numberTolerance = 1e-3;
const mostShown = 100;

/** Lines that speak of time or speed: their numbers are no results. */
const timing =
  /\b(?:time[ds]?|timing|elapsed|took|seconds?|sec|secs|[mun]?s|usec|msec|ms|μs|fps|hz|bandwidth|throughput|speed(?:up)?|performance|[kmgt]?i?b\/s|[kmgt]?flops?(?:\/s)?)\b/i;

/** Lines that speak of how far results are from others. */
const deviation =
  /\b(?:err(?:or)?s?|(?:max|abs|rel|mean|worst)_?(?:err(?:or)?|diff)|diff(?:erence)?s?|deviations?|discrepancy|residuals?|rmse?|mse|mae)\b/i;
/** Fractions below this one may be rounding: up to `anyRounding` always, more where some was there before. */
const mostRounding = 1e-3;
const anyRounding = 1e-5;
const mostGrowth = 10;

/** Numbers of rounds until something is near enough: rounding decides about the last of them. */
const rounds = /\bconverged?\b|\biter(?:ation)?s\b/i;
const leastRounds = 10;
const roundsTolerance = 0.02;

/** Places in memory, of the host or of the GPU. */
const address = /\b0x[0-9a-f]{9,14}\b/gi;

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;

/** A line of a program that is not as it was. */
interface PrintedDifference {
  readonly before: string;
  readonly now: string;
}

/**
 * The first line that a program prints otherwise than before. `again`: what it printed when it was run once
 * more as it was: lines that differ there are no results, and neither are numbers of lines that speak of
 * time. Where a line speaks of an error, one rounding is as good as another.
 */
export function printedDifference(before: string, again: string, now: string): PrintedDifference | undefined {
  const [first, second, third] = [before, again, now].map((text) => text.trimEnd().split("\n"));
  if (first === undefined || second === undefined || third === undefined) return undefined;
  // Text that is not steady cannot be lined up.
  if (first.length !== second.length) return undefined;
  const length = Math.max(first.length, third.length);
  for (let line = 0; line < length; line += 1) {
    const [old, repeated, printed] = [first[line] ?? "", second[line] ?? "", third[line] ?? ""];
    if (isSame(old, printed) || !isSame(old, repeated)) continue;
    if (timing.test(old) && wordsOf(old) === wordsOf(printed)) continue;
    return { before: old.trim().slice(0, mostShown), now: printed.trim().slice(0, mostShown) };
  }
  return undefined;
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  if (wordsOf(one) !== wordsOf(other)) return false;
  const [mine, theirs] = [numbersOf(one), numbersOf(other)];
  const [deviates, counts] = [deviation.test(one), rounds.test(one)];
  return mine.every((value, index) => {
    const now = theirs[index] ?? Number.NaN;
    if (isNear(value, now)) return true;
    return (deviates && isRounding(value, now)) || (counts && isCountOfRounds(value, now));
  });
}

/** Whether two fractions are both rounding errors, the one of now not much greater than the one before. */
function isRounding(before: number, now: number): boolean {
  if (Math.max(Math.abs(before), Math.abs(now)) >= mostRounding) return false;
  return Math.abs(now) <= Math.max(anyRounding, mostGrowth * Math.abs(before));
}

function isCountOfRounds(before: number, now: number): boolean {
  if (!Number.isInteger(before) || !Number.isInteger(now) || before < leastRounds) return false;
  return Math.abs(now - before) <= Math.max(1, roundsTolerance * before);
}

function isNear(one: number, other: number): boolean {
  return one === other || Math.abs(one - other) <= numberTolerance * Math.max(Math.abs(one), Math.abs(other));
}

/** The line with its numbers and addresses taken out. */
function wordsOf(line: string): string {
  return line.replace(address, "@").replace(number, "#").replace(/\s+/g, " ").trim();
}

function numbersOf(line: string): readonly number[] {
  return [...line.replace(address, "@").matchAll(number)].map(([text]) => Number(text));
}
