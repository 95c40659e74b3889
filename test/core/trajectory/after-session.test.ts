import { expect, test } from "vitest";
import { type AfterSession, afterSession } from "../../../server/core/trajectory/proposal/after-session";
import type { ModelledBound } from "../../../server/core/judge/verdict";
import { reduceSession, type SessionState } from "../../../server/core/trajectory/reduce";
import { runScripted } from "../../harness/agent-session";
import { expectCase } from "../../harness/cases";
import { scriptedStrategy } from "../../harness/scripted-strategy";

const slow = "// bound 1000\n";
const budget = { usd: 1, minutes: 10, candidates: 24 };
const rules = {
  ...{ specPath: "", specText: "", file: "k.cu", kernel: "k", target: "vgpu:sm_80", strategy: "rulebook" },
  budget,
};
const model = { ...rules, strategy: "refine", model: "m" };
const held = [
  { rule: "r", title: "Pad", because: "aliasing" as const, sentence: "x and y may overlap.", line: 3 },
];

async function stateAfter(texts: readonly string[]): Promise<SessionState> {
  const { log } = await runScripted(scriptedStrategy(texts), { baseline: slow });
  return reduceSession(log.events);
}

const empty = await stateAfter([]);
const failing = await stateAfter(["// wrong\n", "// does not compile\n", "// wrong\n// twice\n"]);
const close = await stateAfter(["// bound 1500\n", "// wrong\n", "// bound 1100\n"]);
const better = await stateAfter(["// bound 1500\n", "// bound 500\n"]);

/** The same session with these terms of its baseline's bound. */
function withTerms(
  state: SessionState,
  terms: Readonly<Record<string, number>>,
  simulated: Pick<ModelledBound, "simulatedNanoseconds" | "simulatedLimit"> = {},
): SessionState {
  const bounds = new Map([...state.bounds].map(([id, bound]) => [id, { ...bound, terms, ...simulated }]));
  return { ...state, task: rules, bounds };
}

test("what comes after a session", () => {
  const after: Record<string, AfterSession | undefined> = {
    "no rule fires": afterSession({ ...empty, task: rules, heldRules: held }),
    "no rule has anything to look for": afterSession({ ...empty, task: rules }),
    "rules gain nothing": afterSession({ ...close, task: rules }),
    "a model gains nothing": afterSession({ ...close, task: model }),
    "all that a model tried fails": afterSession({ ...failing, task: model }),
    "rules gain": afterSession({ ...better, task: rules }),
    "a model gains": afterSession({ ...better, task: model }),
    "ended by the user for its best": afterSession({ ...better, task: model, ending: "taken" }),
    "a limit": afterSession({ ...close, task: model, status: "limit" }),
    "cancelled with a proposal": afterSession({ ...better, task: model, status: "cancelled" }),
    "a wrong baseline": afterSession({
      ...empty,
      task: rules,
      status: "failed",
      ending: "baseline-not-correct",
    }),
    "a silent model": afterSession({ ...close, task: model, status: "failed", ending: "model-unreachable" }),
    "a failure": afterSession({ ...close, task: rules, status: "failed", reason: "no room on the disk" }),
  };
  after["one term binds"] = afterSession(withTerms(empty, { dram: 1000, issue: 400, latency: 10 }));
  after["two terms bind"] = afterSession(withTerms(empty, { dram: 1000, issue: 950 }));
  after["at the floor of the task"] = afterSession({
    ...withTerms(better, { dram: 1000, issue: 400 }),
    ...{ task: { ...model, strategy: "search" }, ending: "at-floor" },
  });
  after["rules alone reach the floor of the task"] = afterSession({
    ...withTerms(better, { dram: 1000, issue: 400 }),
    ending: "at-floor",
  });
  const contended = { simulatedNanoseconds: 90_000, simulatedLimit: "atomics" };
  after["no term says what a simulated time is spent on"] = afterSession(
    withTerms(empty, { dram: 1000, issue: 400 }, contended),
  );
  expect(afterSession({ ...close, status: "open" })).toBeUndefined();
  expectCase("trajectory/after-session.json", after);
});
