import type { EventData, NewEvent, SessionEvent } from "./events";

/** A request with whose question it is. */
type OpenRequest = Pick<EventData["llm.request"], "request" | "role">;

/** What a crash left open. */
export interface OpenEnds {
  /** Calls with no result. */
  readonly calls: readonly string[];
  /** Model requests with no reply. */
  readonly requests: readonly OpenRequest[];
  /** Jobs that never finished. */
  readonly jobs: readonly string[];
}

/** What was begun and has no end yet, event by event. */
export class OpenWork {
  private readonly calls = new Set<string>();
  private readonly requests = new Map<string, OpenRequest>();
  private readonly jobs = new Set<string>();
  private isEnded = false;

  take(event: SessionEvent): void {
    switch (event.type) {
      case "tool.called":
        this.calls.add(event.data.call);
        break;
      case "tool.returned":
        this.calls.delete(event.data.call);
        break;
      case "llm.request": {
        const { request, role } = event.data;
        this.requests.set(request, { request, ...(role && { role }) });
        break;
      }
      case "llm.response":
      case "llm.failed":
        this.requests.delete(event.data.request);
        break;
      case "job.queued":
        this.jobs.add(event.data.job);
        break;
      case "job.finished":
        this.jobs.delete(event.data.job);
        break;
      case "session.started":
      case "session.resumed":
        this.isEnded = false;
        break;
      case "session.ended":
        this.isEnded = true;
        break;
      default:
        break;
    }
  }

  /** True when the newest start or resume has no end after it. */
  get isOpenEnded(): boolean {
    return !this.isEnded;
  }

  /** Calls, requests and jobs. */
  ends(): OpenEnds {
    return { calls: [...this.calls], requests: [...this.requests.values()], jobs: [...this.jobs] };
  }
}

/**
 * The events that close what a crash left open, after `session.recovered`: a reader then always finds pairs.
 */
export function closingEvents(ends: OpenEnds): readonly NewEvent[] {
  const actor = { kind: "system" } as const;
  const note = "The process that was waiting for this ended before the result came.";
  return [
    ...ends.calls.map((call): NewEvent => ({
      type: "tool.returned",
      actor,
      data: { call, status: "lost", output: note, shown: note, duration_ms: 0 },
    })),
    ...ends.requests.map((open): NewEvent => ({
      type: "llm.failed",
      actor,
      data: { ...open, failure: "lost", message: note, attempts: 1, cost_usd: null },
    })),
    ...ends.jobs.map((job): NewEvent => ({
      type: "job.finished",
      actor,
      data: { job, status: "cancelled", duration_ms: 0 },
    })),
  ];
}
