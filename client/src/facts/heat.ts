import type { LineFactsView } from "../../../server/protocol/views";

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

/** Colours of the text at the end of a line, by what the line costs. */
export const tones = ["quiet", "warm", "hot"] as const;

export type Tone = (typeof tones)[number];

/** As the bars of the gutter, in fewer steps. A fault of a line of unknown cost is warm. */
export function toneOf({ share, kind }: Pick<LineFactsView, "share" | "kind">): Tone {
  const level = heatOf(share) ?? 0;
  if (level >= 2) return "hot";
  return level === 1 || (share === 0 && kind === "fault") ? "warm" : "quiet";
}
