import { describe, expect, it } from "vitest";
import type { TimelineStep } from "../../server/core/trajectory/timeline/step";
import type { TimelineView } from "../../server/protocol/timeline-views";
import type { CandidateView, SessionView } from "../../server/protocol/views";
import { clockText } from "../../client/webview/common/clock-text";
import {
  chartPoints,
  lineage,
  newsOf,
  shownSteps,
  titleOf,
  visibleRange,
} from "../../client/webview/trajectory/model";
import { emptyPage, received, stepFrom, toggled } from "../../client/webview/trajectory/state";

const step = (seq: number, more: Partial<TimelineStep> = {}): TimelineStep => ({
  seq,
  kind: "candidate",
  title: `Step ${seq}`,
  text: "",
  at: seq * 1000,
  ...more,
});

const candidate = (id: string, parent?: string): CandidateView => ({
  id,
  ...(parent === undefined ? {} : { parent }),
  hypothesis: "",
  origin: "",
  stage: "correct",
  state: "accepted",
  reason: "",
});

const session = { kernel: "k", candidates: [] } as unknown as SessionView;

const view = (seqs: readonly number[], total = 9): TimelineView => ({
  session,
  steps: seqs.map((seq) => step(seq)),
  more: false,
  total,
  labels: [],
});

describe("rows that are shown", () => {
  const steps = [
    step(1, { kind: "session", title: "Session started", text: "saxpy in a.cu" }),
    step(2, { kind: "engine", title: "Job started" }),
    step(3, { candidate: "c1", title: "Candidate c1 accepted", text: "Faster" }),
  ];
  const labels = new Map([[3, { seq: 3, tag: "win", note: "keep" }]]);
  const none = { words: "", hidden: new Set([]), labelled: false } as const;
  const table = [
    { what: "all without a filter", filter: none, shown: [1, 2, 3] },
    { what: "none of a hidden kind", filter: toggled(none, "engine"), shown: [1, 3] },
    {
      what: "a kind that is shown again",
      filter: toggled(toggled(none, "engine"), "engine"),
      shown: [1, 2, 3],
    },
    {
      what: "those with every word, whatever its case",
      filter: { ...none, words: " FASTER c1" },
      shown: [3],
    },
    { what: "those whose note has the word", filter: { ...none, words: "keep" }, shown: [3] },
    { what: "those with a note", filter: { ...none, labelled: true }, shown: [3] },
    { what: "none where nothing fits", filter: { ...none, words: "faster saxpy" }, shown: [] },
  ];
  it.each(table)("$what", ({ filter, shown }) => {
    expect(shownSteps(steps, filter, labels).map(({ seq }) => seq)).toEqual(shown);
  });
});

describe("what is said aloud", () => {
  const judged = step(2, { candidate: "c1", judged: "Candidate 1 accepted", simulated: 829 });
  const ended = step(4, { kind: "session", title: "Session ended: Improved", ends: true });
  const table = [
    { what: "nothing of a log without verdicts", steps: [step(1)], total: 1, said: "" },
    { what: "nothing while rows are still read", steps: [step(1), judged], total: 3, said: "" },
    {
      what: "the newest verdict with its time",
      steps: [step(1), judged, step(3)],
      total: 3,
      said: "Candidate 1 accepted: 829 ns",
    },
    { what: "the end", steps: [judged, step(3), ended], total: 3, said: "Session ended: Improved" },
    {
      what: "a problem",
      steps: [judged, step(3, { kind: "problem", title: "Repetition detected" })],
      total: 2,
      said: "Repetition detected",
    },
  ];
  it.each(table)("$what", ({ steps, total, said }) =>
    expect(newsOf(steps, total, { timeKind: "simulation" })).toBe(said),
  );
});

describe("stepping", () => {
  const steps = [2, 5, 9].map((seq) => step(seq));
  const table = [
    { what: "begins with the first row", chosen: undefined, by: 1, next: 2 },
    { what: "goes on", chosen: 2, by: 1, next: 5 },
    { what: "stays at the end", chosen: 9, by: 1, next: 9 },
    { what: "jumps to an end", chosen: 9, by: -100, next: 2 },
    { what: "goes back from a row that the filter hides", chosen: 6, by: -1, next: 5 },
    { what: "goes back from behind the last row", chosen: 12, by: -1, next: 9 },
  ];
  it.each(table)("$what", ({ chosen, by, next }) => expect(stepFrom(steps, chosen, by)).toBe(next));
  it("has nowhere to go without rows", () => expect(stepFrom([], undefined, 1)).toBeUndefined());
});

describe("messages", () => {
  it("add rows once, in order", () => {
    const first = received(emptyPage, { kind: "timeline", view: view([1, 2]) });
    const again = received(first, { kind: "timeline", view: view([1, 2, 3], 3) });
    expect([again.steps.map(({ seq }) => seq), again.total]).toEqual([[1, 2, 3], 3]);
  });
  it("show an event only while it is the chosen one", () => {
    const answer = { kind: "step", view: { seq: 2, title: "", origin: "", time: "", sections: [] } } as const;
    expect(received({ ...emptyPage, chosen: 2 }, answer).detail?.seq).toBe(2);
    expect(received({ ...emptyPage, chosen: 3 }, answer).detail).toBeUndefined();
  });
});

describe("pictures", () => {
  it("show the best so far, for which a dropped candidate does not count", () => {
    const steps = [
      step(1, { candidate: "baseline", bound: 9, simulated: 20 }),
      step(2),
      step(3, { candidate: "c1", bound: 12 }),
      step(4, { candidate: "c2", bound: 3 }),
      step(5, { candidate: "c3", bound: 4, simulated: 11 }),
    ];
    const candidates = [
      candidate("baseline"),
      candidate("c1", "baseline"),
      { ...candidate("c2", "baseline"), state: "dropped" as const },
      candidate("c3", "baseline"),
    ];
    const drawn = (timeKind: "bound" | "simulation"): unknown =>
      chartPoints(steps, { candidates, timeKind }).map(({ candidate: id, time, best }) => [id, time, best]);
    expect(drawn("bound")).toEqual([
      ["baseline", 9, 9],
      ["c1", 12, 9],
      ["c2", 3, 9],
      ["c3", 4, 4],
    ]);
    expect(drawn("simulation")).toEqual([
      ["baseline", 20, 20],
      ["c3", 11, 11],
    ]);
  });

  it.each([
    [step(1, { bound: 5390 }), "simulation", "Step 1"],
    [step(1, { bound: 5390, simulated: 15_800, judged: "Baseline" }), "simulation", "Baseline: 15.8 µs"],
    [step(1, { bound: 5390, simulated: 15_800, judged: "Baseline" }), "bound", "Baseline: 5.39 µs"],
  ] as const)("rows say the time that their session shows: %j, %s", (given, timeKind, title) => {
    expect(titleOf(given, { timeKind })).toBe(title);
  });

  const descents = [
    {
      what: "children behind their parents",
      ids: [candidate("b"), candidate("c1", "b"), candidate("c2", "b"), candidate("c3", "c1")],
      rows: ["b 0", "c1 1", "c3 2", "c2 1"],
    },
    { what: "a child without its parent", ids: [candidate("c1", "gone")], rows: ["c1 0"] },
    { what: "a circle", ids: [candidate("a", "b"), candidate("b", "a")], rows: ["a 0", "b 1"] },
  ];
  it.each(descents)("show the descent of $what", ({ ids, rows }) => {
    expect(lineage(ids).map(({ candidate: { id }, depth }) => `${id} ${depth}`)).toEqual(rows);
  });

  it("make only the rows in sight", () => {
    expect(visibleRange({ top: 2400, height: 480, row: 24 }, 10_000)).toEqual({ from: 90, to: 130 });
    expect(visibleRange({ top: 0, height: 480, row: 24 }, 3)).toEqual({ from: 0, to: 3 });
  });

  it("write times", () => {
    expect([65_230, 0, 3_600_000].map(clockText)).toEqual(["1:05.2", "0:00.0", "60:00.0"]);
  });
});
