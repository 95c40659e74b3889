import { at, entry } from "../../base/known";
import type { SizeExpression } from "../spec";
import type { Sample } from "./sample";

/** A matrix or volume of which the end stays untouched: so many elements along each axis, slowest first. */
export interface Rim {
  readonly factors: readonly string[];
  /** What each axis has more than its size: both borders of a padded volume. */
  readonly padding: number;
  readonly widths: readonly number[];
}

const widestRim = 8;
/** Borders on both sides first. */
export const paddings = [2, 4, 6, 8, 10, 12, 16, 1, 3];

/**
 * The order of the sizes of a whole matrix or volume, slowest first, for which every sample ends the same few
 * elements before the end of each axis. `padded`: what each axis may have more than its size. Undefined where
 * there is none, or where nothing is left out.
 */
export function fitRim(
  samples: readonly Sample[],
  products: readonly (readonly string[])[],
  padded: readonly number[],
): Rim | undefined {
  const [one, ...others] = samples;
  if (one === undefined) return undefined;
  const ordered = products.flatMap(orders);
  for (const padding of padded)
    for (const factors of ordered) {
      const widths = widthsOf({ factors, padding }, one);
      // Hardly any order comes as far as the other samples.
      const isNarrow = widths.every((width) => width >= 0 && width <= widestRim);
      if (!isNarrow || !widths.some((width) => width > 0)) continue;
      if (others.every((each) => widthsOf({ factors, padding }, each).join() === widths.join()))
        return { factors, padding, widths };
    }
  return undefined;
}

/** How far before the end of each axis a sample ends. */
function widthsOf(whole: Pick<Rim, "factors" | "padding">, { sizes, value }: Sample): readonly number[] {
  const lengths = lengthsOf(whole, sizes);
  return digits(lengths.reduce((left, right) => left * right, 1) - value, lengths);
}

function lengthsOf(
  { factors, padding }: Pick<Rim, "factors" | "padding">,
  sizes: Readonly<Record<string, number>>,
): readonly number[] {
  return factors.map((name) => entry(sizes, name) + padding);
}

/** All of the matrix or volume, in elements: `(nz + 8) * (ny + 8) * (nx + 8)`. */
export function wholeOf({ factors, padding }: Rim): string {
  return factors.map((name) => (padding === 0 ? name : `(${name} + ${padding})`)).join(" * ");
}

/** How many elements lie within a rim whose first one stands at an index. */
export function insideRim(rim: Rim, sizes: Readonly<Record<string, number>>, first: number): number {
  const { widths } = rim;
  const lengths = lengthsOf(rim, sizes);
  const before = digits(first, lengths);
  return lengths.reduce(
    (product, length, axis) => product * Math.max(0, length - at(widths, axis) - at(before, axis)),
    1,
  );
}

/** An index as coordinates, slowest first. */
function digits(index: number, lengths: readonly number[]): readonly number[] {
  let rest = index;
  return lengths.map((_, axis) => {
    const stride = lengths.slice(axis + 1).reduce((left, right) => left * right, 1);
    const digit = Math.floor(rest / stride);
    rest -= digit * stride;
    return digit;
  });
}

/** The orders of two or three factors, each once. */
function orders(factors: readonly string[]): readonly (readonly string[])[] {
  if (factors.length < 2) return [factors];
  const all = factors.flatMap((first, index) =>
    orders(factors.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
  return [...new Map(all.map((order) => [order.join(), order])).values()];
}

/**
 * An input with the last few elements that no probe has come to: whether a window is read to its end may be a
 * matter of what is in it, and elements that nobody reads do no harm.
 */
export function withItsEnd(extent: SizeExpression): SizeExpression {
  return /^((?:\d+ \* )?[A-Za-z_]\w*(?: \* [A-Za-z_]\w*)*) - \d+$/.exec(String(extent))?.[1] ?? extent;
}
