import { t } from "../../base/localized";
import { candidateName } from "../../words/names/names";

/** Where a session comes from that goes on from a candidate of another one. */
export interface Lineage {
  readonly session: string;
  readonly candidate: string;
  /** Snapshot of the candidate's changes on this session's baseline. */
  readonly tree: string;
  readonly hypothesis: string;
}

/** What stands as the origin of the candidate that a session goes on from. */
export const continuedOrigin = "continued";

/** `candidate 3 of session 01J…`. */
export function describeLineage({ session, candidate }: Pick<Lineage, "session" | "candidate">): string {
  return t`${candidateName(candidate)} of session ${session}`;
}
