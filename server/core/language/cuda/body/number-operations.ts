/** Operators of the language that give 0 or 1, on numbers. */
export const comparisons: Readonly<Record<string, (left: number, right: number) => number>> = {
  "<": (left, right) => Number(left < right),
  "<=": (left, right) => Number(left <= right),
  ">": (left, right) => Number(left > right),
  ">=": (left, right) => Number(left >= right),
  "==": (left, right) => Number(left === right),
  "!=": (left, right) => Number(left !== right),
  "&&": (left, right) => Number(left !== 0 && right !== 0),
  "||": (left, right) => Number(left !== 0 || right !== 0),
};

/** Operators of whole numbers, and of floats where no division is. */
export const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => Math.trunc(left / right),
  "%": (left, right) => left % right,
  "<<": (left, right) => left << right,
  ">>": (left, right) => left >> right,
  "&": (left, right) => left & right,
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
  ...comparisons,
};

type Function = (...values: readonly number[]) => number;

const conversions = /^(?:static_cast<[\w\s:]+>|float|double|int|unsigned)$/;

/** What a function makes of numbers: extremes and conversions. */
export function callOf(name: string, count: number): Function | undefined {
  if (count === 1 && conversions.test(name)) return (value = 0) => value;
  if (count !== 2) return undefined;
  if (/^(?:std::|::)?f?maxf?$/.test(name)) return Math.max;
  return /^(?:std::|::)?f?minf?$/.test(name) ? Math.min : undefined;
}
