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

/** Calls, requests and jobs that were begun and have no end. */
export function openEnds(events: Iterable<SessionEvent>): OpenEnds {
  const calls = new Set<string>();
  const requests = new Map<string, OpenRequest>();
  const jobs = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case "tool.called":
        calls.add(event.data.call);
        break;
      case "tool.returned":
        calls.delete(event.data.call);
        break;
      case "llm.request":
        requests.set(event.data.request, {
          request: event.data.request,
          ...(event.data.role && { role: event.data.role }),
        });
        break;
      case "llm.response":
      case "llm.failed":
        requests.delete(event.data.request);
        break;
      case "job.queued":
        jobs.add(event.data.job);
        break;
      case "job.finished":
        jobs.delete(event.data.job);
        break;
      default:
        break;
    }
  }
  return { calls: [...calls], requests: [...requests.values()], jobs: [...jobs] };
}

/** Of such events those that began something which has no end yet: nothing else need be remembered. */
export function stillOpen(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const { calls, requests, jobs } = openEnds(events);
  return events.filter(({ type, data }) => {
    if (type === "tool.called") return calls.includes(data.call);
    if (type === "llm.request") return requests.some(({ request }) => request === data.request);
    return type === "job.queued" && jobs.includes(data.job);
  });
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

/** True when the newest start or resume has no end after it. */
export function isOpenEnded(events: Iterable<SessionEvent>): boolean {
  let open = true;
  for (const event of events) {
    if (event.type === "session.ended") open = false;
    else if (event.type === "session.resumed" || event.type === "session.started") open = true;
  }
  return open;
}
