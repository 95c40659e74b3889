import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewEvent, SessionEvent } from "../../../server/core/trajectory/events";
import { openEnds } from "../../harness/memory-session-log";
import { closingEvents } from "../../../server/core/trajectory/recovery";
import {
  logRules,
  validateEvents,
  validateLog,
  type LogRule,
} from "../../../server/core/trajectory/validate";
import { reread } from "./altered-events";
import { sha256 } from "./event-fixtures";
import { bytesOf, eventsOf, exampleStream, linesOf, streams } from "./event-streams";
import { draws } from "../../harness/draws";

type Loose = { -readonly [Key in keyof Omit<SessionEvent, "data" | "blobs">]: SessionEvent[Key] } & {
  blobs?: string[];
  data: Record<string, unknown>;
};

/** The example with one event replaced, taken out or added. */
function edited(
  type: string,
  change: (event: Loose, events: Loose[], index: number) => void,
): readonly SessionEvent[] {
  const events = linesOf(exampleStream.events).map((line) => JSON.parse(line) as Loose);
  const index = events.findIndex((event) => event.type === type);
  change(events[index] as Loose, events, index);
  return events.map(reread);
}

function without(type: string): readonly SessionEvent[] {
  return renumber(
    eventsOf(exampleStream).filter(
      (event, index, all) => event.type !== type || all.findIndex((other) => other.type === type) !== index,
    ),
  );
}

function repeated(type: string): readonly SessionEvent[] {
  const events = eventsOf(exampleStream);
  const first = events.findIndex((event) => event.type === type);
  return renumber([...events.slice(0, first + 1), ...events.slice(first)]);
}

function renumber(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, id: `E${index + 1}` }));
}

/** One failing log for each rule about what the events say. */
const fixtures: Readonly<Record<Exclude<LogRule, "chain" | "torn-tail">, readonly SessionEvent[]>> = {
  "envelope-version": edited("message.user", (event) => {
    (event as { v: number }).v = 2;
  }),
  sequence: edited("message.user", (event) => {
    event.seq = 99;
  }),
  "id-unique": edited("message.user", (event, events) => {
    event.id = events[0]?.id ?? "";
  }),
  "started-once": repeated("session.started"),
  "format-version": edited("session.started", (event) => {
    event.data.format_version = "2.0";
  }),
  "blobs-listed": edited("tree.snapshot", (event) => {
    event.blobs = [];
  }),
  "call-unique": edited("tool.called", (event, events) => {
    event.data.call = "twice";
    (events.findLast((other) => other.type === "tool.called") as Loose).data.call = "twice";
  }),
  "result-has-call": without("tool.called"),
  "call-has-result": without("tool.returned"),
  "request-unique": repeated("llm.request"),
  "reply-has-request": without("llm.request"),
  "request-has-reply": without("llm.failed"),
  "message-known": without("message.system"),
  "tree-known": without("tree.snapshot"),
  "candidate-unique": edited("candidate.created", (event, events) => {
    event.data.candidate = events.findLast((other) => other.type === "candidate.created")?.data.candidate;
  }),
  "candidate-known": without("candidate.created"),
  "job-known": without("job.queued"),
  "hunk-known": edited("edit.hunk_decided", (event) => {
    event.data.hunks = ["h9"];
  }),
  "data-shape": edited("llm.request", (event) => {
    delete event.data.messages;
  }),
};

describe("the rules of a log", () => {
  it("hold for the example", () => {
    expect(validateLog([bytesOf(linesOf(exampleStream.events))], sha256)).toEqual([]);
  });

  it.each(Object.entries(fixtures))("%s has a log that breaks it", (rule, events) => {
    expect(validateEvents(events).map((problem) => problem.rule)).toContain(rule);
  });

  it("name a torn tail and a broken chain", () => {
    const bytes = bytesOf(linesOf(exampleStream.events));
    expect(
      validateLog([bytes.subarray(0, bytes.length - 1)], sha256).map((problem) => problem.rule),
    ).toContain("torn-tail");
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(validateLog([bytes], sha256).map((problem) => problem.rule)).toContain("chain");
  });

  it("have a failing log each", () => {
    expect([...Object.keys(fixtures), "chain", "torn-tail"].sort()).toEqual(Object.keys(logRules).sort());
  });

  it("hold after a crash at any event, once recovery has closed what was open", () => {
    fc.assert(
      fc.property(streams, fc.nat(200), (stream, cut) => {
        const kept = stream.events.slice(0, cut);
        const recovered: NewEvent = {
          type: "session.recovered",
          actor: { kind: "system" },
          data: { torn_bytes: 0, lost_calls: [] },
        };
        const ended: NewEvent = {
          type: "session.ended",
          actor: { kind: "engine" },
          data: {
            status: "crashed",
            reason: "",
            best: null,
            used: { usd: 0, minutes: 0, candidates: 0, modelCalls: 0 },
          },
        };
        const closed = [
          ...kept,
          recovered,
          ...closingEvents(openEnds(eventsOf({ ...stream, events: kept }))),
          ended,
        ];
        const problems = validateEvents(eventsOf({ ...stream, events: closed }));
        expect(problems.filter((problem) => problem.rule !== "started-once")).toEqual([]);
      }),
      { numRuns: draws(100) },
    );
  });
});
