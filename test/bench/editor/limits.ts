import { type Measurement, rounded } from "../bench";

/** A number with what it may be at most. */
export function against(metric: string, value: number, limit: number, unit: string): Measurement {
  return {
    metric,
    value: rounded(value),
    unit,
    versus: `goal ${limit} ${unit}`,
    ratio: rounded(value / limit),
  };
}

/** The middle of an odd number of runs in milliseconds, after one that warms what the system caches. */
export async function medianTime(runs: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}
