import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { wholeVerdicts } from "../../../server/core/trajectory/proposal/whole-verdicts";
import { reduceSession, SessionReduction } from "../../../server/core/trajectory/reduce";
import { sidesOf } from "../../../server/core/trajectory/proposal/sides";
import { summarize } from "../../../server/core/trajectory/summary";
import { reread, withData } from "./altered-events";
import { correct, task } from "./event-fixtures";
import { eventsOf, exampleStream, streams } from "./event-streams";
import { draws } from "../../harness/draws";

describe("the state of a session", () => {
  const state = reduceSession(eventsOf(exampleStream));

  it("holds the task, the end and the best candidate", () => {
    expect(state).toMatchObject({
      task,
      status: "succeeded",
      reason: "done",
      productVersion: "1.2.3",
      baselineTree: "tree0",
      seed: "5eed",
      unread: [],
    });
    expect(
      state.candidates.map(({ id, parent, stage, state: candidateState }) => [
        id,
        parent,
        stage,
        candidateState,
      ]),
    ).toEqual([
      ["c7", undefined, "correct", "accepted"],
      ["c12", "c7", "launched", "dropped"],
      ["c15", "c12", "correct", "best"],
    ]);
    expect(state.best).toBe("c15");
  });

  it("calls a candidate running until its verdict, and does not count the kernel as it was among the proposed", () => {
    const stage = { candidate: "baseline", stage: "compiled", accepted: false, reason: "", verdict: null };
    const envelope = eventsOf(exampleStream)[0];
    const created = withData(envelope, "candidate.created", {
      candidate: "baseline",
      parent: null,
      tree: "tree0",
      hypothesis: "the baseline",
      strategy: "baseline",
    });
    const events = [created, withData(envelope, "candidate.staged", stage)];
    expect(reduceSession(events).candidates).toMatchObject([
      { id: "baseline", stage: "compiled", state: "running" },
    ]);
    const refused = {
      ...stage,
      verdict: { kind: "refused", reason: "refused: opcode" },
      reason: "the virtual GPU cannot run it",
    };
    const dropped = reduceSession([...events, withData(envelope, "candidate.staged", refused)]);
    expect(dropped.candidates).toMatchObject([{ state: "dropped" }]);
    expect(summarize(events).candidates).toBe(0);
  });

  it("holds the proposal with the user's decisions", () => {
    expect(state.proposal?.hunks).toMatchObject([{ id: "h1", decision: "accepted" }]);
    const undone = withData(eventsOf(exampleStream).at(-1), "edit.hunk_decided", {
      hunks: ["h1"],
      decision: "undone",
      edits: [],
    });
    expect(reduceSession([...eventsOf(exampleStream), undone]).proposal?.hunks).toMatchObject([
      { id: "h1", decision: "open" },
    ]);
  });

  it("reads counters that an earlier version did not know as 0", () => {
    const known = {
      counters: {
        origin: "virtual-gpu",
        lines: [{ file: "a.cu", line: 3, instructions: 5 }],
        totals: { instructions: 5 },
      },
      bound: { gpu: "A100", nanoseconds: 1, terms: {}, binding: "dram" },
    };
    const event = eventsOf(exampleStream).find(({ type }) => type === "proposal.ready");
    const old = withData(event, "proposal.ready", { ...event?.data, before: known, after: known });
    const { proposal } = reduceSession([...eventsOf(exampleStream), old]);
    const sides = proposal && sidesOf(proposal);
    const before = sides?.kind === "counted" ? sides.before : undefined;
    const staged = withData(event, "candidate.staged", {
      candidate: "c15",
      stage: "correct",
      accepted: true,
      reason: "",
      verdict: { ...correct, counters: known.counters },
    });
    const judged = wholeVerdicts([staged]).get("c15");
    expect(
      judged?.kind === "correct" && [
        judged.counters.totals.instructions,
        judged.counters.totals.localSectors,
      ],
    ).toEqual([5, 0]);
    expect([
      before?.counters.lines[0]?.instructions,
      before?.counters.lines[0]?.fp32Flops,
      before?.counters.totals.sharedAtomicPasses,
      before?.counters.totals.loadReuse,
    ]).toEqual([5, 0, 0, undefined]);
  });

  it("holds the newest words, and what the newest checkpoint said", () => {
    expect(state.lastWords).toBe("I pad the tile.");
    expect(state.checkpoint).toMatchObject({ best: "c12", state: { text: "x" } });
    expect(state.usage).toEqual({
      input_uncached: 1000,
      cache_read: 7,
      cache_write: null,
      output: 1000,
      reasoning: 1,
    });
  });

  it("tells what was open when the process was killed", () => {
    const events = eventsOf(exampleStream);
    const queued = events.findIndex((event) => event.type === "job.queued");
    const open = reduceSession(events.slice(0, queued + 1));
    expect(open.status).toBe("open");
    expect(open.jobs).toEqual([{ job: "job9", kind: "check", candidate: "c7", started: false }]);
    expect(open.openCalls).toEqual(["call5"]);
  });

  it("is the same event by event as all at once, and earlier states stay as they were", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const events = eventsOf(stream);
        const reduction = new SessionReduction();
        let half: [string, ReturnType<SessionReduction["state"]>] | undefined;
        for (const [index, event] of events.entries()) {
          reduction.apply(event);
          if (index === Math.floor(events.length / 2))
            half = [JSON.stringify(reduction.state()), reduction.state()];
        }
        expect(reduction.state()).toEqual(reduceSession(events));
        expect(JSON.stringify(half?.[1])).toBe(half?.[0]);
        expect(summarize(events)).toMatchObject({
          events: events.length,
          candidates: reduction.state().candidates.length,
        });
      }),
      { numRuns: draws(50) },
    );
  });

  it("passes over data that its type cannot hold, and over types of another version", () => {
    const events = eventsOf(exampleStream).map((event) => withData(event, event.type, {}));
    expect(reduceSession(events)).toMatchObject({
      unread: events.map(({ seq }) => seq),
      task: undefined,
      candidates: [],
    });
    expect(summarize(events).events).toBe(events.length);
    const newer = withData(events[0], "future.event", { text: "x" });
    expect(reduceSession([newer])).toMatchObject({ unread: [], lastSequence: 1 });
  });
});

describe("data that an event cannot hold", () => {
  const event = (type: string): SessionEvent | undefined =>
    eventsOf(exampleStream).find((candidate) => candidate.type === type);
  const cases: readonly (readonly [type: string, data: object, fault: string])[] = [
    ["job.started", {}, "job: expected text, found nothing"],
    ["job.started", { job: 7 }, "job: expected text, found 7"],
    ["edit.hunk_decided", { hunks: "h1" }, 'hunks: expected a list, found "h1"'],
    ["edit.hunk_decided", { hunks: ["h1", null] }, "hunks[1]: expected text, found null"],
    ["message.user", { text: { $blob: 3 } }, "text.$blob: 3 is not what belongs here"],
    ["session.ended", { used: { usd: "1" } }, 'used.usd: "1" is not what belongs here'],
    [
      "session.ended",
      { status: "won" },
      'status: expected "succeeded" or "no_gain" or "failed" or "cancelled" or "limit" or "crashed", found "won"',
    ],
    [
      "candidate.staged",
      { verdict: { kind: "correct" } },
      'verdict.tier: expected "quick" or "full", found nothing',
    ],
    ["tree.snapshot", { files: { "a.cu": { blob: 1 } } }, "files: an object is not what belongs here"],
  ];

  it.each(cases)("%s with %o", (type, data, fault) => {
    const original = event(type);
    const changed = Object.keys(data).length === 0 ? {} : { ...original?.data, ...data };
    const read = withData(original, type, changed);
    expect(read).toMatchObject({ type: "unread", data: { type, fault, content: changed } });
  });

  it("keeps fields that this version does not know, and NaN where it stood", () => {
    const started = event("job.started");
    expect(withData(started, "job.started", { job: "job9", later: [1] }).data).toEqual({
      job: "job9",
      later: [1],
    });
    const used = { usd: null, minutes: 1, candidates: 1, modelCalls: 0 };
    const line = { ...started, type: "limit.reached", data: { limit: "usd", used } };
    expect(reread({ ...line, unrepresentable: [{ pointer: "/used/usd", reason: "NaN" }] }).data).toEqual({
      limit: "usd",
      used: { ...used, usd: NaN },
    });
    expect(reread(line)).toMatchObject({ type: "unread" });
  });
});
