import type { CorrectSummary } from "../../judge/verdict-summary";
import { type CandidateRecord, baselineId } from "../state";

/** Which of its two modelled times a version is shown with. */
export type ShownTimeKind = "simulation" | "bound";

/** The modelled time of a kind, in nanoseconds; undefined where that time is not known of the version. */
export function timeOfKind(
  { bound }: Pick<CorrectSummary, "bound">,
  kind: ShownTimeKind,
): number | undefined {
  return kind === "simulation" ? bound.simulatedNanoseconds : bound.nanoseconds;
}

/**
 * Which modelled time the figures of a session show: that of the simulation where it is known of the baseline
 * and of all that was accepted, else the bound. One for all, so that they can be compared with each other. A
 * version that was dropped and has no such time is told by its bound, by name.
 */
export function shownTimeKind(candidates: readonly CandidateRecord[]): ShownTimeKind {
  const kept = candidates
    .filter(({ id, accepted }) => id === baselineId || accepted)
    .flatMap(({ verdict }) => (verdict?.kind === "correct" ? [verdict] : []));
  const isKnown = kept.every((verdict) => timeOfKind(verdict, "simulation") !== undefined);
  return kept.length > 0 && isKnown ? "simulation" : "bound";
}
