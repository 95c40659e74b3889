import type { SessionStatus } from "../../../server/protocol/views";

/** How a session stands, in the words that all views of it use. */
export const statusWords: Readonly<Record<SessionStatus, string>> = {
  running: "running",
  succeeded: "improved",
  no_gain: "no gain",
  failed: "failed",
  cancelled: "cancelled",
  limit: "limit reached",
  crashed: "interrupted",
  damaged: "damaged",
};
