/** A logarithmic axis. */
export interface LogAxis {
  /** Exponents of ten. */
  readonly from: number;
  readonly to: number;
  /** Where the axis begins and ends in the picture. */
  readonly start: number;
  readonly end: number;
}

/** A line of the grid, with its number. */
export interface Tick {
  readonly at: number;
  readonly value: number;
}

/** Room beyond the least and the greatest value, in decades. */
const margin = 0.25;
const decadesAtLeast = 1.5;
const decadesOfManyTicks = 2.5;

/** An axis that holds all values with some room; of none, from 1 on. Values of 0 have no place on it. */
export function logAxis(values: readonly number[], start: number, end: number): LogAxis {
  const exponents = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const low = exponents.length === 0 ? 0 : Math.min(...exponents) - margin;
  const high = exponents.length === 0 ? 0 : Math.max(...exponents) + margin;
  const missing = Math.max(0, decadesAtLeast - (high - low)) / 2;
  return { from: low - missing, to: high + missing, start, end };
}

/** The place of a value, kept on the axis. */
export function placeOn({ from, to, start, end }: LogAxis, value: number): number {
  const share = (Math.log10(Math.max(value, Number.MIN_VALUE)) - from) / (to - from);
  return start + Math.min(1, Math.max(0, share)) * (end - start);
}

/** A tick for each power of ten; on a short axis also for 2 and 5 times it, on a long one every second. */
export function ticksOf(axis: LogAxis): readonly Tick[] {
  const { from, to } = axis;
  const step = to - from > 8 ? 2 : 1;
  const factors = to - from < decadesOfManyTicks ? [1, 2, 5] : [1];
  const first = Math.floor(from);
  return Array.from({ length: Math.ceil((to - first) / step) + 1 }, (_, index) => first + index * step)
    .flatMap((exponent) => factors.map((factor) => factor * 10 ** exponent))
    .filter((value) => Math.log10(value) >= from && Math.log10(value) <= to)
    .map((value) => ({ at: placeOn(axis, value), value }));
}
