/** One number. */
export interface Measurement {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** What the number is held against, as in "limit 5 MB" or "a plain loop in TypeScript". */
  readonly versus?: string;
  /** Our value divided by the other one. */
  readonly ratio?: number;
}

/** A measurement that `npm run bench` makes; its name is what `npm run bench -- NAME` takes. */
export interface Bench {
  readonly name: string;
  run(): Promise<readonly Measurement[]>;
}

/**
 * A quantile of measured values, by the nearest rank.
 * @param share 0 to 1; 0.5 is the median
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Rounded to three significant digits, which is more than a shared machine can repeat. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
