import { expect, it } from "vitest";
import { bestCurve, comparedRows, type ComparedSession } from "../../client/webview/comparison/model";
import type { TimelineStep } from "../../server/core/trajectory/timeline/step";
import type { CandidateView, SessionView } from "../../server/protocol/views";
import { endedSession } from "./session-fixture";

const session: SessionView = { ...endedSession, reason: "no rule is left" };

function candidate(id: string, state: CandidateView["state"], parent?: string): CandidateView {
  return {
    id,
    state,
    ...(parent && { parent }),
    hypothesis: "",
    origin: "",
    stage: "correct",
    reason: "",
  };
}

/** When a candidate was found correct, and its bound. */
function judged(seq: number, at: number, [id, bound]: readonly [string, number]): TimelineStep {
  return {
    seq,
    at,
    kind: "candidate",
    title: "",
    text: "",
    candidate: id,
    bound,
  };
}

const improved: ComparedSession = {
  session: {
    ...session,
    candidates: [
      candidate("baseline", "accepted"),
      candidate("c1", "dropped", "baseline"),
      candidate("c2", "accepted", "baseline"),
      candidate("c3", "best", "c2"),
    ],
  },
  steps: [
    judged(1, 0, ["baseline", 8000]),
    judged(2, 1000, ["c1", 1000]),
    judged(3, 2000, ["c2", 6000]),
    judged(4, 3000, ["c3", 2000]),
    {
      seq: 5,
      at: 65_250,
      kind: "session",
      title: "Session ended",
      text: "",
      usd: 0.25,
    },
  ],
};

const empty: ComparedSession = {
  session: {
    ...session,
    status: "no_gain",
    reason: "the kernel is wrong",
    strategy: "refine",
  },
  steps: [{ seq: 1, at: 0, kind: "session", title: "Session started", text: "" }],
};

it("the best so far counts what was kept, and lasts until the session's end", () => {
  expect(bestCurve(improved)).toEqual([
    { at: 0, best: 8000 },
    { at: 2000, best: 6000 },
    { at: 3000, best: 2000 },
    { at: 65_250, best: 2000 },
  ]);
  expect(bestCurve(empty)).toEqual([]);
});

it("two sessions are compared by outcome, gain, candidates and cost", () => {
  expect(comparedRows([improved, empty]).map(({ title, values }) => [title, ...values].join(" | "))).toEqual([
    "Kernel | softmax_kernel in softmax.py | softmax_kernel in softmax.py",
    "Outcome | improved | no gain",
    "Reason | no rule is left | the kernel is wrong",
    "Target | vgpu:sm_80 | vgpu:sm_80",
    "Strategy | rulebook | refine",
    "What is compared | Modelled bound | Modelled bound",
    "Baseline, modelled | 8 µs | no correct baseline",
    "Best, modelled | 2 µs | none",
    "Change | −75% | unknown",
    "Candidates | 3 | 0",
    "Accepted | 2 | 0",
    "Spent on models | $0.2500 | nothing, or not known",
    "Time | 1:05.2 | 0:00.0",
    "Events | 5 | 1",
  ]);
});
