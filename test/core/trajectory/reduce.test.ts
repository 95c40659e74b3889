import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { reduceSession, SessionReduction } from "../../../server/core/trajectory/reduce";
import { summarize } from "../../../server/core/trajectory/summary";
import { eventsOf, exampleStream, streams, task } from "./event-streams";

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
    const created = {
      ...envelope,
      type: "candidate.created",
      data: {
        candidate: "baseline",
        parent: null,
        tree: "tree0",
        hypothesis: "the kernel as it is",
        strategy: "baseline",
      },
    } as SessionEvent;
    const events = [created, { ...envelope, type: "candidate.staged", data: stage } as SessionEvent];
    expect(reduceSession(events).candidates).toMatchObject([
      { id: "baseline", stage: "compiled", state: "running" },
    ]);
    const refused = {
      ...stage,
      verdict: { kind: "refused", reason: "refused: opcode" },
      reason: "the virtual GPU cannot run it",
    };
    expect(
      reduceSession([...events, { ...envelope, type: "candidate.staged", data: refused } as SessionEvent])
        .candidates,
    ).toMatchObject([{ state: "dropped" }]);
    expect(summarize(events).candidates).toBe(0);
  });

  it("holds the proposal with the user's decisions", () => {
    expect(state.proposal?.hunks).toMatchObject([{ id: "h1", decision: "accepted", conflict: false }]);
    const undone = {
      ...eventsOf(exampleStream).at(-1),
      type: "edit.hunk_decided",
      data: { hunks: ["h1"], decision: "undone", conflict: false },
    } as SessionEvent;
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
    const old = {
      ...event,
      data: { ...event?.data, before: known, after: known },
    } as unknown as SessionEvent;
    const { before } = reduceSession([...eventsOf(exampleStream), old]).proposal ?? {};
    const staged = {
      ...event,
      type: "candidate.staged",
      data: {
        candidate: "c15",
        stage: "correct",
        accepted: true,
        reason: "",
        verdict: { kind: "correct", counters: known.counters },
      },
    } as unknown as SessionEvent;
    const judged = reduceSession([...eventsOf(exampleStream), staged]).candidates.find(
      ({ id }) => id === "c15",
    )?.verdict;
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

  it("holds the conversation in order, and what the newest checkpoint said", () => {
    expect(state.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
    ]);
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
      { numRuns: 50 },
    );
  });

  it("passes over content that is not what its type holds", () => {
    const events = eventsOf(exampleStream).map(
      (event) => ({ ...event, data: {} }) as unknown as SessionEvent,
    );
    const broken = reduceSession(events);
    expect(broken.unread.length).toBe(4);
    expect(summarize(events).events).toBe(events.length);
  });
});
