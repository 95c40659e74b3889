import type { SessionEvent } from "../events";

/** What had passed when an event was written: rows of a timeline tell both from the start of the session. */
export interface Passed {
  /** Of the first event, by the wall clock, in milliseconds; undefined before it. */
  readonly start: number | undefined;
  /** Milliseconds since then; never less than those of the event before. */
  readonly at: number;
  /** US dollars. */
  readonly usd: number;
}

export const nothingPassed: Passed = { start: undefined, at: 0, usd: 0 };

/** The same with one more event. */
export function passedWith(before: Passed, event: SessionEvent): Passed {
  const now = Date.parse(event.ts);
  const start = before.start ?? now;
  return {
    start,
    // A clock that was set back must not turn the order round.
    at: Math.max(before.at, now - start || 0),
    usd: before.usd + (costOf(event) ?? 0),
  };
}

/** US dollars that an event cost; undefined where it cost nothing or that is not known. */
export function costOf(event: SessionEvent): number | undefined {
  if (event.type === "llm.response") return event.data.cost.usd ?? undefined;
  return event.type === "llm.failed" ? (event.data.cost_usd ?? undefined) : undefined;
}
