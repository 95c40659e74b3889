import type { StepKind } from "../../../server/core/trajectory/timeline/step";
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

const kinds: Readonly<Record<StepKind, string>> = {
  session: "session",
  message: "message",
  model: "model",
  tool: "tool",
  candidate: "candidate",
  review: "review",
  budget: "budget",
  problem: "problem",
  engine: "engine",
};

/** What a row of a timeline is about. */
export function kindWord(kind: StepKind): string {
  return t(kinds[kind]);
}

/** How a session stands, in the words that all views of it use. */
export function statusWord(status: SessionStatus): string {
  return t(statuses[status]);
}

/** What became of a candidate, in the same way. */
export function stateWord(state: CandidateView["state"]): string {
  return t(states[state]);
}
