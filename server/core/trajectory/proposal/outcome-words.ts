import { retold } from "../../base/localized";
import { baselineId, type SessionState } from "../state";

const statusWords: Readonly<Record<SessionState["status"], string>> = {
  succeeded: "Improved",
  no_gain: "No gain found",
  failed: "Failed",
  cancelled: "Cancelled",
  limit: "Stopped at the budget",
  crashed: "Crashed",
  open: "Not finished",
};

/** The same where the session began with a kernel that is not correct. */
const mendingWords: Readonly<Record<SessionState["status"], string>> = {
  ...statusWords,
  succeeded: "Mended",
  no_gain: "Not mended",
};

/** How a session ended, at the head of a sentence. */
export function statusHeading(status: SessionState["status"]): string {
  return retold(statusWords[status]);
}

/** What came out of a session, in a word or two: a heading. */
export function outcomeWords(state: Pick<SessionState, "status" | "candidates">): string {
  return retold((beganWrong(state) ? mendingWords : statusWords)[state.status]);
}

/** Whether the kernel was found wrong as it stood, so that the first aim was a correct version. */
export function beganWrong({ candidates }: Pick<SessionState, "candidates">): boolean {
  const baseline = candidates.find(({ id }) => id === baselineId)?.verdict ?? null;
  return baseline !== null && baseline.kind !== "correct" && baseline.kind !== "scored";
}
