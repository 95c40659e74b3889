/**
 * Where a bound stands between the greatest, at the top (0), and the least (1): equal ratios are equal
 * heights.
 */
export function heightOf(
  bound: number,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  return high === low ? 0.5 : Math.log(high / bound) / Math.log(high / low);
}

/** The path of a line that keeps its height until the next point. */
export function stairs(points: readonly (readonly [x: number, y: number])[]): string {
  return points
    .map(([x, y], index) =>
      index === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`,
    )
    .join("");
}
