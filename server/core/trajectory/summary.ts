import type { SessionEvent, SessionStatus } from "./events";

/** What a list of sessions shows of one, from its events alone. */
export interface EventSummary {
  readonly started: string;
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
  let summary: EventSummary = { started: events[0]?.ts ?? "", file: "", kernel: "", target: "", strategy: "", status: "open", reason: "", best: null, candidates: 0, events: events.length };
  for (const event of events) {
    switch (event.type) {
      case "session.started": {
        const { file, kernel, target, strategy } = event.data.task;
        summary = { ...summary, started: event.ts, file, kernel, target, strategy };
        break;
      }
      case "candidate.created":
        summary = { ...summary, candidates: summary.candidates + 1 };
        break;
      case "candidate.selected":
        summary = { ...summary, best: event.data.candidate };
        break;
      case "session.resumed":
        summary = { ...summary, status: "open", reason: "" };
        break;
      case "session.ended":
        summary = { ...summary, status: event.data.status, reason: event.data.reason, best: event.data.best };
        break;
      default:
        break;
    }
  }
  return summary;
}
