import type { NewEvent } from "./events";

/** Types that money, a user's decision or a side effect outside of the log hangs on. */
const flushedTypes: ReadonlySet<string> = new Set([
  "session.started",
  "session.resumed",
  "session.recovered",
  "session.ended",
  "segment.opened",
  "message.said",
  "llm.request",
  "llm.response",
  "llm.failed",
  "job.queued",
  "job.started",
  "proposal.ready",
  "edit.hunk_decided",
  "checkpoint.created",
  "limit.reached",
]);

/**
 * True when the line must be on the disk before the append resolves; the others may wait to be flushed
 * together.
 */
export function mustFlush(event: NewEvent): boolean {
  if (event.type === "tool.called") return event.data.effect !== "read";
  return flushedTypes.has(event.type);
}
