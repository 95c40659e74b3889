import { known } from "../../../base/known";

/** An operator of two numbers. */
export type NumberOperator = (left: number, right: number) => number;

/** A function of numbers. */
export type NumberFunction = (...values: readonly number[]) => number;

/** Operators of the language that give 0 or 1, on numbers. */
export const comparisons: Readonly<Record<string, NumberOperator>> = {
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
export const operations: Readonly<Record<string, NumberOperator>> = {
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

const conversions = /^(?:static_cast<[\w\s:]+>|float|double|int|unsigned)$/;

/** What a function makes of numbers: extremes and conversions. */
export function callOf(name: string, count: number): NumberFunction | undefined {
  if (count === 1 && conversions.test(name)) return (value = 0) => value;
  if (count !== 2) return undefined;
  if (/^(?:std::|::)?f?maxf?$/.test(name)) return Math.max;
  return /^(?:std::|::)?f?minf?$/.test(name) ? Math.min : undefined;
}

/** A whole number of 0 to 65,520 that belongs to a text, for what a run knows nothing of. */
export function numberFor(text: string): number {
  let hash = 17;
  for (const sign of text)
    hash = (hash * 31 + known(sign.codePointAt(0), "the code of a character")) % 65_521;
  return hash;
}
