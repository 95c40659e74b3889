import { expect, test } from "vitest";
import { archivePlanner } from "../../../server/core/agent/roles/archive-planner";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import type { Strategy } from "../../../server/core/agent/strategy";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { SkilledModel } from "../../bench/agent/skilled-model";
import { textOf, worldOf } from "../../bench/agent/world";
import { validateEvents } from "../../../server/core/trajectory/validate";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { ScriptedEvaluator, kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { bestBound, type FinishedSession, noRules, runScripted, traceOf } from "../../harness/agent-session";
import { drawn } from "../../harness/draws";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const world = worldOf(2);
const budget = { usd: 1, minutes: 1000, candidates: 40 };

function search(onAnswer: () => void = () => undefined): Strategy {
  const model = new SkilledModel(world);
  const provider = {
    ...{ name: model.name, model: model.model, limits: model.limits },
    estimateUsd: () => 0,
    estimateTokens: () => 100,
    complete: (request: Parameters<SkilledModel["complete"]>[0]) => {
      onAnswer();
      return model.complete(request);
    },
  };
  const clock = new TestClock();
  return searchStrategy({ provider, prompts, files: memoryFiles({}), clock, rulebook: noRules });
}

function candidatesOf({ log }: FinishedSession): readonly string[] {
  return log.events.flatMap((event) =>
    event.type === "candidate.created"
      ? [`${event.data.candidate} on ${event.data.parent ?? "nothing"}: ${event.data.hypothesis}`]
      : [],
  );
}

test("a search that is stopped anywhere goes on with the same archive", async () => {
  const whole = await runScripted(search(), { baseline: textOf(world, []), budget });
  expect(bestBound(whole)).toBe(world.best);
  const ids = whole.log.events.flatMap((event) => (event.type === "llm.request" ? [event.data.request] : []));
  expect(new Set(ids).size).toBe(ids.length);
  for (const stopAt of [1, 3, 6, 9]) {
    const log = new MemorySessionLog();
    const controller = new AbortController();
    let answers = 0;
    const stopped = search(() => {
      answers += 1;
      if (answers === stopAt) controller.abort();
    });
    const { signal } = controller;
    await runScripted(stopped, { baseline: textOf(world, []), budget, log, signal });
    const resumed = await runScripted(search(), { baseline: textOf(world, []), budget, log, resume: true });
    expect([stopAt, bestBound(resumed)]).toEqual([stopAt, world.best]);
    const all = candidatesOf(resumed).map((line) => line.replace(/^c\d+ on \w+: /, ""));
    expect([stopAt, all.length]).toEqual([stopAt, new Set(all).size]);
  }
});

test("a planner picks what a round starts from, and is left where it picks what was not offered", async () => {
  const clock = new TestClock();
  const change = (text: string): { readonly calls: readonly { name: string; arguments: unknown }[] } => ({
    calls: [
      { name: "write_file", arguments: { path: kernelFile, text } },
      { name: "submit_candidate", arguments: { hypothesis: text.trim() } },
    ],
  });
  const finish = { calls: [{ name: "finish", arguments: { reason: "the round ends" } }] };
  const pick = (candidate: string): { readonly text: string } => ({
    text: JSON.stringify({ candidate, because: "It is of another kind.", idea: "Load wider." }),
  });
  const provider = new ScriptedModel([
    change("// bound 900 // binding latency\n"),
    finish,
    change("// bound 800\n"),
    { ...finish, forEver: true },
  ]);
  const planning = new ScriptedModel([pick("baseline"), pick("c1"), pick("c77"), { text: "Anything." }]);
  const files = memoryFiles({});
  const planner = archivePlanner({ provider: planning, prompts, clock });
  const strategy = searchStrategy({ provider, prompts, files, clock, rulebook: noRules, planner });
  const session = await runScripted(strategy, { baseline: "// bound 1000\n", budget: { ...budget, usd: 9 } });
  const { log } = session;
  const faults = validateEvents(log.events).map(({ rule }) => rule);
  // The log in memory lacks the events that the store of a session writes before the loop.
  expect(faults.filter((rule) => rule !== "started-once" && rule !== "tree-known")).toEqual([]);
  expect(candidatesOf(session)).toEqual([
    "baseline on nothing: baseline",
    "c1 on baseline: // bound 900 // binding latency",
    "c2 on c1: // bound 800",
  ]);
  expect(provider.requests[2]?.messages[1]?.text).toContain("the planner, picked `c1` for this round");
  expect(provider.requests[2]?.messages[1]?.text).toContain("It suggests: Load wider.");
  const failures = log.events.flatMap((event) => (event.type === "role.failed" ? [event.data] : []));
  expect(failures.map(({ role, left, reason }) => [role, left, reason])).toEqual([
    ["planner", false, 'it picks "c77", which was not offered'],
    ["planner", true, expect.stringContaining("its answer is no JSON object")],
  ]);
  expect(planning.requests).toHaveLength(4);
});

/** Candidates take turns in being the slowest, so that what is begun last may end first. */
async function uneven(): Promise<FinishedSession & { readonly most: number }> {
  const evaluator = new ScriptedEvaluator();
  let running = 0;
  let most = 0;
  let calls = 0;
  evaluator.onCall = async (call) => {
    if (call !== "check quick") return;
    running += 1;
    most = Math.max(most, running);
    calls += 1;
    for (let turn = (calls * 7) % 11; turn >= 0; turn -= 1) await Promise.resolve();
    running -= 1;
  };
  return {
    ...(await runScripted(search(), { baseline: textOf(world, []), budget, evaluator, atOnce: 3 })),
    most,
  };
}

test("rounds go on side by side, on no more cores than there are, and the log has one order", async () => {
  const [first, second] = [await uneven(), await uneven()];
  expect([first.most, bestBound(first)]).toEqual([3, world.best]);
  expect(traceOf(second.log.events)).toEqual(traceOf(first.log.events));
  // The log in memory has neither its first event nor the baseline's snapshot.
  const problems = validateEvents(first.log.events).map(({ rule }) => rule);
  expect(problems.filter((rule) => rule !== "started-once" && rule !== "tree-known")).toEqual([]);
  const jobs = first.log.events.flatMap((event) => (event.type === "job.queued" ? [event.data.job] : []));
  expect(jobs).toEqual(jobs.map((_, index) => `j${index + 1}`));
});

test("rounds side by side that are killed after any event go on with the same archive", async () => {
  const session = { baseline: textOf(world, []), budget, atOnce: 3 };
  const whole = await runScripted(search(), session);
  for (const stopAt of drawn(stops(whole.log.events.length))) {
    const { log } = await runScripted(search(), session);
    log.events.length = stopAt;
    const kept = judgedOf(log.events);
    const resumed = await runScripted(search(), { ...session, log, resume: true });
    expect([stopAt, bestBound(resumed)]).toEqual([stopAt, world.best]);
    expect([stopAt, judgedOf(log.events).slice(0, kept.length)]).toEqual([stopAt, kept]);
    const all = candidatesOf(resumed).map((line) => line.replace(/^c\d+ on \w+: /, ""));
    expect([stopAt, all.length]).toEqual([stopAt, new Set(all).size]);
  }
});

interface Asking {
  /** Questions that may wait at once. */
  readonly requestsAtOnce: number;
  /** US dollars that a question may cost at most; it costs half of it. */
  readonly usd: number;
}

/** Answers take turns in being the slowest; the model says how many it had to answer at once. */
async function asking({
  requestsAtOnce,
  usd,
}: Asking): Promise<FinishedSession & { readonly most: number; readonly bound: number }> {
  const model = new SkilledModel(world);
  let [running, most, bound, spent, calls] = [0, 0, 0, 0, 0];
  const provider = {
    ...{ name: model.name, model: model.model, limits: { ...model.limits, requestsAtOnce } },
    estimateUsd: () => usd,
    estimateTokens: () => 100,
    complete: async (request: Parameters<SkilledModel["complete"]>[0]) => {
      running += 1;
      calls += 1;
      most = Math.max(most, running);
      bound = Math.max(bound, spent + running * usd);
      for (let turn = (calls * 7) % 3; turn >= 0; turn -= 1) await new Promise(setImmediate);
      running -= 1;
      spent += usd / 2;
      return { ...(await model.complete(request)), costUsd: usd / 2 };
    },
  };
  const parts = { prompts, files: memoryFiles({}), clock: new TestClock(), rulebook: noRules };
  const session = { baseline: textOf(world, []), budget: { ...budget, candidates: 15 }, atOnce: 3 };
  return { ...(await runScripted(searchStrategy({ provider, ...parts }), session)), most, bound };
}

const askings: readonly (Asking & { readonly most: number })[] = [
  { requestsAtOnce: 4, usd: 0, most: 3 },
  { requestsAtOnce: 2, usd: 0, most: 2 },
  { requestsAtOnce: 1, usd: 0, most: 1 },
  // Two of three questions fit into the dollar that there is; the third waits for what the first gives back.
  { requestsAtOnce: 4, usd: 0.4, most: 2 },
];

test.each(askings)("rounds side by side ask at the same time: %o", async ({ most, ...how }) => {
  const [first, second] = [await asking(how), await asking(how)];
  expect(first.most).toBe(most);
  expect(first.bound).toBeLessThanOrEqual(budget.usd);
  expect(traceOf(second.log.events)).toEqual(traceOf(first.log.events));
  const problems = validateEvents(first.log.events).map(({ rule }) => rule);
  expect(problems.filter((rule) => rule !== "started-once" && rule !== "tree-known")).toEqual([]);
});

/** Some of all places, in no regular distance. */
function stops(events: number): readonly number[] {
  return Array.from({ length: 24 }, (_, index) => 8 + ((index * 37) % (events - 10)));
}

/** What the archive is made of. */
function judgedOf(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "candidate.staged" && event.data.verdict !== null
      ? [`${event.data.candidate} ${event.data.stage}`]
      : [],
  );
}

test("at the floor nothing is asked", async () => {
  const { result } = await runScripted(
    search(() => expect.fail("the model was asked")),
    { baseline: "// bound 400\n", budget },
  );
  expect(result.reason).toContain("baseline is at the floor of the task: no rewrite can lower its bound");
});

test("a bound at its floor is not the end where a simulated time far above it decides", async () => {
  let answers = 0;
  await runScripted(
    search(() => answers++),
    { baseline: "// bound 400\n// simulated 5000\n", budget },
  );
  expect(answers).toBeGreaterThan(0);
});

test("a search mends a wrong kernel first, in rounds that start from it, and then makes it faster", async () => {
  const submit = (text: string): object => ({
    calls: [
      { name: "write_file", arguments: { path: kernelFile, text } },
      { name: "submit_candidate", arguments: { hypothesis: text.trim() } },
    ],
  });
  const wrong = [1, 2, 3, 4].map((number) => submit(`// try ${number}\n// wrong\n`));
  const model = new ScriptedModel([...wrong, submit("// bound 900\n"), submit("// bound 500\n")] as never);
  const parts = { prompts, files: memoryFiles({}), clock: new TestClock(), rulebook: noRules };
  const { result } = await runScripted(searchStrategy({ provider: model, ...parts }), {
    baseline: "// wrong\n",
    reference: { kind: "expression", expressions: { y: "x" } },
    budget: { usd: 1, minutes: 1000, candidates: 6 },
  });
  const rounds = model.requests.flatMap(({ messages }) =>
    [...(messages[1]?.text ?? "").matchAll(/This is round (\d+)[^;]*; [^.]*\./g)].map(([text]) => text),
  );
  expect([...new Set(rounds)]).toEqual([
    "This is round 1 of a search. The scratch copy holds `baseline`; the best so far is `baseline` (nothing is correct yet).",
    "This is round 2 of a search. The scratch copy holds `baseline`; the best so far is `baseline` (nothing is correct yet).",
  ]);
  expect([result.outcome, bestBound({ result })]).toEqual(["improved", 500]);
});
