import type { CandidateView } from "../../../server/protocol/views";

/** The baseline, which has no parent, and what was accepted: what counts for the best so far. */
export function isKept({ parent, state }: CandidateView): boolean {
  return parent === undefined || state === "accepted" || state === "best";
}

/** Ids of those. */
export function keptIds(candidates: readonly CandidateView[]): ReadonlySet<string> {
  return new Set(candidates.filter(isKept).map(({ id }) => id));
}
