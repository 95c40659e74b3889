import type { TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { CandidateView, SessionView } from "../../../server/protocol/views";
import { t } from "./localized";

/** The name of the version that a session begins with. */
export const baseline = "baseline";

/** What the user reads instead of an id: `baseline`, `candidate 3`. */
export function candidateName(id: string): string {
  const number = /^c(\d+)$/.exec(id)?.[1];
  if (number !== undefined) return t("candidate {0}", number);
  return id === baseline ? t("baseline") : id;
}

/** The same at the head of a line. */
export function candidateHead(id: string): string {
  const number = /^c(\d+)$/.exec(id)?.[1];
  if (number !== undefined) return t("Candidate {0}", number);
  return id === baseline ? t("Baseline") : id;
}

/** The baseline, which has no parent, and what was accepted: what counts for the best so far. */
export function isKept({ parent, state }: CandidateView): boolean {
  return parent === undefined || state === "accepted" || state === "best";
}

/** The modelled time of a judged candidate that the figures of its session show, in nanoseconds. */
export function shownTime(
  { bound, simulated }: TimelineStep,
  { timeKind }: Pick<SessionView, "timeKind">,
): number | undefined {
  return timeKind === "simulation" ? simulated : bound;
}

/** What that time is, at the head of a sentence. */
export function timeWords({ timeKind }: Pick<SessionView, "timeKind">): string {
  return timeKind === "simulation" ? t("Time by simulation") : t("Modelled bound");
}

/** Ids of those. */
export function keptIds(candidates: readonly CandidateView[]): ReadonlySet<string> {
  return new Set(candidates.filter(isKept).map(({ id }) => id));
}
