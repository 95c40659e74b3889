/**
 * Bars of the gutter, coldest first: the share of the cost from which they stand, their length and colour.
 */
export const heatLevels = [
  { from: 0.02, width: 4, color: "#c9a227" },
  { from: 0.1, width: 8, color: "#e08a1e" },
  { from: 0.25, width: 12, color: "#e0561e" },
  { from: 0.5, width: 16, color: "#d4213d" },
] as const;

/** The level of a share between 0 and 1; undefined for a line that costs next to nothing. */
export function heatOf(share: number): number | undefined {
  const level = heatLevels.findLastIndex(({ from }) => share >= from);
  return level < 0 ? undefined : level;
}
