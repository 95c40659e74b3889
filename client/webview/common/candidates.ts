import type { CandidateView } from "../../../server/protocol/views";
import { t } from "./localized";

/** What the user reads instead of an id: `baseline`, `candidate 3`. */
export function candidateName(id: string): string {
  const number = /^c(\d+)$/.exec(id)?.[1];
  if (number !== undefined) return t("candidate {0}", number);
  return id === "baseline" ? t("baseline") : id;
}

/** The same at the head of a line. */
export function candidateHead(id: string): string {
  const number = /^c(\d+)$/.exec(id)?.[1];
  if (number !== undefined) return t("Candidate {0}", number);
  return id === "baseline" ? t("Baseline") : id;
}

/** The baseline, which has no parent, and what was accepted: what counts for the best so far. */
export function isKept({ parent, state }: CandidateView): boolean {
  return parent === undefined || state === "accepted" || state === "best";
}

/** Ids of those. */
export function keptIds(candidates: readonly CandidateView[]): ReadonlySet<string> {
  return new Set(candidates.filter(isKept).map(({ id }) => id));
}
