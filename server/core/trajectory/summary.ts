import type { SessionEvent, SessionStatus } from "./events";
import { baselineId } from "./state";

/** What a list of sessions shows of one, from its events alone. */
export interface EventSummary {
  readonly started: string;
  /** Digest of the workspace folder it was recorded in. */
  readonly workspace: string;
  readonly file: string;
  readonly kernel: string;
  readonly target: string;
  readonly strategy: string;
  /** `open` = no end after the newest start or resume. */
  readonly status: SessionStatus | "open";
  readonly reason: string;
  readonly best: string | null;
  readonly candidates: number;
  readonly events: number;
}

/** Sums a log up; a log that is empty or begins in the middle gives empty texts. */
export function summarize(events: readonly SessionEvent[]): EventSummary {
  let summary: EventSummary = {
    started: events[0]?.ts ?? "",
    workspace: "",
    file: "",
    kernel: "",
    target: "",
    strategy: "",
    status: "open",
    reason: "",
    best: null,
    candidates: 0,
    events: events.length,
  };
  for (const event of events) summary = withEvent(summary, event);
  return summary;
}

function withEvent(summary: EventSummary, event: SessionEvent): EventSummary {
  switch (event.type) {
    case "session.started": {
      const { file, kernel, target, strategy } = event.data.task;
      return {
        ...summary,
        started: event.ts,
        workspace: event.data.workspace,
        file,
        kernel,
        target,
        strategy,
      };
    }
    case "candidate.created":
      // The kernel as it was is judged like a candidate, but nobody proposed it.
      return event.data.candidate === baselineId
        ? summary
        : { ...summary, candidates: summary.candidates + 1 };
    case "candidate.selected":
      return { ...summary, best: event.data.candidate };
    case "session.resumed":
      return { ...summary, status: "open", reason: "" };
    case "session.ended":
      return { ...summary, status: event.data.status, reason: event.data.reason, best: event.data.best };
    default:
      return summary;
  }
}
