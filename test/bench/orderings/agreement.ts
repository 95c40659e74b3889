/** One version of a series: what is published of it and what the model says, both as times. */
export interface Compared {
  readonly published: number;
  readonly modelled: number;
}

/** Times that differ by less than this share are no order. */
const tie = 0.02;

function sign(a: number, b: number): number {
  return Math.abs(a - b) <= tie * Math.max(a, b) ? 0 : Math.sign(a - b);
}

/**
 * Pairs that the model has in the published order less those that it has the other way round; ties count for
 * neither.
 */
export interface PairCount {
  readonly agreeing: number;
  readonly opposed: number;
  /** Pairs that are published as different. */
  readonly pairs: number;
}

export function countPairs(cases: readonly Compared[]): PairCount {
  let [agreeing, opposed, pairs] = [0, 0, 0];
  cases.forEach((first, index) => {
    for (const second of cases.slice(index + 1)) {
      const published = sign(first.published, second.published);
      if (published === 0) continue;
      const modelled = sign(first.modelled, second.modelled);
      pairs += 1;
      if (modelled === published) agreeing += 1;
      if (modelled === -published) opposed += 1;
    }
  });
  return { agreeing, opposed, pairs };
}

/** Kendall's tau over pairs within series: 1 when all are in order, -1 when all are reversed. */
export function kendallTau(counts: readonly PairCount[]): number {
  const sum = (of: (count: PairCount) => number): number =>
    counts.reduce((total, count) => total + of(count), 0);
  const pairs = sum((count) => count.pairs);
  return pairs === 0 ? 1 : (sum((count) => count.agreeing) - sum((count) => count.opposed)) / pairs;
}

/** By what factor the modelled ratio of two times is off, at least 1. */
export function ratioError(before: Compared, after: Compared): number {
  const off = before.modelled / after.modelled / (before.published / after.published);
  return Math.max(off, 1 / off);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
