import { comparisonOf } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import type { SyntaxNode } from "../../../../language/tree";
import { factorText, type NamedAxis, type Numbering } from "./numbering";

/** One of the two numbers of a point: a row or a column. */
export interface PointAxis {
  readonly name: string;
  readonly type: string;
  /** The number of the first point. */
  readonly start: number;
  /** An expression that the number stays below. */
  readonly extent: string;
}

/** A part of a condition; `holds` is false where the thread leaves when it is true. */
export interface Guard {
  readonly node: SyntaxNode;
  readonly holds: boolean;
}

/** The end that a condition gives an axis, or that the grid gives. */
export function axisOf(
  { name, type, launched, start }: NamedAxis,
  guards: readonly Guard[],
  { flat, other }: { readonly flat: Numbering["flat"]; readonly other: string },
): PointAxis {
  const end = endWithin(guards, name, other);
  const [total] = flat === undefined ? [] : guards.flatMap((guard) => endOf(guard, flat.name) ?? []);
  if (end !== undefined) return { name, type, start, extent: end };
  const rows = total !== undefined && flat !== undefined && launched !== flat.divisor;
  return { name, type, start, extent: rows ? rowsOf(total, flat.divisor) : launched };
}

/**
 * The end of an axis. Where the other number is the end, as in a triangle, the end of that one is as well;
 * which points are within the triangle stays a condition.
 */
function endWithin(guards: readonly Guard[], name: string, other: string): string | undefined {
  const ends = guards.flatMap((guard) => endOf(guard, name) ?? []);
  const mentions = (end: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(end);
  const own = ends.find((end) => !mentions(end, other));
  if (own !== undefined || !ends.some((end) => end === other || end === `(${other} + 1)`)) return own;
  return guards.flatMap((guard) => endOf(guard, other) ?? []).find((end) => !mentions(end, name));
}

/** How many rows a number of points makes; their product with the length of a row is taken apart. */
function rowsOf(total: string, divisor: string): string {
  const factors = total.replace(/^\((.*)\)$/, "$1").split(" * ");
  const others = factors.filter((factor) => factor !== divisor);
  const product = factors.every((factor) => /^\w+$/.test(factor)) && others.length === factors.length - 1;
  if (product && others.length > 0) return others.length === 1 ? others.join("") : `(${others.join(" * ")})`;
  return `(${total} + ${divisor} - 1) / ${divisor}`;
}

/** Below what a condition holds a number. */
export function endOf({ node, holds }: Guard, name: string): string | undefined {
  const compared = comparisonOf(node, name);
  if (compared === undefined || !isPure(compared.bound)) return undefined;
  const text = factorText(compared.bound);
  const below = compared.comparison === (holds ? "<" : ">=");
  if (below) return text;
  return compared.comparison === (holds ? "<=" : ">") ? `(${text} + 1)` : undefined;
}
