import type { ReviewedHunk } from "./hunk";

/** The hunks that are accepted with one hunk: itself and what it needs, in the order of the proposal. */
export function acceptedWith(hunks: readonly ReviewedHunk[], id: string): readonly ReviewedHunk[] {
  const needs = new Set(hunks.find((hunk) => hunk.id === id)?.needs ?? []);
  return hunks.filter((hunk) => hunk.id === id || (needs.has(hunk.id) && hunk.decision !== "accepted"));
}

/** The hunks that are rejected with one hunk: itself and the undecided ones that do not work without it. */
export function rejectedWith(hunks: readonly ReviewedHunk[], id: string): readonly ReviewedHunk[] {
  return hunks.filter(
    (hunk) => hunk.id === id || (hunk.decision === "open" && hunk.needs?.includes(id) === true),
  );
}
