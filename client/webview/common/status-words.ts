import type { CandidateView, SessionStatus } from "../../../server/protocol/views";
import { t } from "./localized";

const statuses: Readonly<Record<SessionStatus, string>> = {
  running: "running",
  succeeded: "improved",
  no_gain: "no gain",
  failed: "failed",
  cancelled: "cancelled",
  limit: "limit reached",
  crashed: "interrupted",
  damaged: "damaged",
};

const states: Readonly<Record<CandidateView["state"], string>> = {
  running: "running",
  dropped: "dropped",
  accepted: "accepted",
  best: "best",
};

/** How a session stands, in the words that all views of it use. */
export function statusWord(status: SessionStatus): string {
  return t(statuses[status]);
}

/** What became of a candidate, in the same way. */
export function stateWord(state: CandidateView["state"]): string {
  return t(states[state]);
}
