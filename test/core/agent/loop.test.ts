import { expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import { runScripted, traceOf, type ScriptedSession } from "../../harness/agent-session";
import { expectCase } from "../../harness/cases";
import { ScriptedEvaluator } from "../../harness/scripted-evaluator";
import type { StrategyContext } from "../../../server/core/agent/strategy";
import { MemorySessionLog } from "../../harness/memory-session-log";
import { scriptedStrategy } from "../../harness/scripted-strategy";
import { TestClock } from "../../harness/test-clock";

const slow = "// bound 1000\n";

/** The user's own words for what is right. */
const byExpression = { kind: "expression", expressions: { y: "x" } } as const;

interface LoopCase extends Partial<ScriptedSession> {
  readonly name: string;
  readonly texts: readonly string[];
}

const cases: readonly LoopCase[] = [
  { name: "a winner takes the full tier and is built upon", texts: ["// bound 500\n", "// bound 400\n"] },
  {
    name: "a slower candidate is dropped and nothing is gained",
    texts: ["// bound 1500\n", "// bound 995\n"],
  },
  { name: "equal bounds are decided by sectors", texts: ["// bound 1000\n// sectors 32\n"] },
  {
    name: "fewer sectors are a gain where more instructions do not bind",
    texts: ["// bound 1000\n// sectors 32\n// instructions 200\n"],
  },
  {
    name: "each gate stops a candidate",
    texts: [
      "// does not parse\n",
      "// does not compile\n",
      "// refused\n",
      "// wrong\n",
      "// bound 10\n// wrong when held out\n",
    ],
  },
  { name: "the same files are not judged twice", texts: ["// bound 1500\n", "// bound 1500\n", slow] },
  { name: "a baseline that does not compile ends the session", baseline: "// does not compile\n", texts: [] },
  { name: "a baseline that disagrees with the reference says so", baseline: "// wrong\n", texts: [] },
  {
    name: "a wrong baseline is mended first and then made faster",
    baseline: "// wrong\n",
    reference: byExpression,
    texts: [
      "// still wrong\n// wrong\n",
      "// bound 10\n// wrong when held out\n",
      "// bound 900\n",
      "// bound 1200\n",
      "// bound 500\n",
    ],
  },
  {
    name: "a wrong baseline that nobody mends is no gain",
    baseline: "// wrong\n",
    reference: byExpression,
    texts: ["// still wrong\n// wrong\n"],
  },
  {
    name: "the number of candidates is limited",
    budget: { usd: 1, minutes: 10, candidates: 1 },
    texts: ["// bound 1500\n", "// bound 10\n"],
  },
  {
    name: "a win before the limit stays a win",
    budget: { usd: 1, minutes: 10, candidates: 1 },
    texts: ["// bound 10\n", "// bound 5\n"],
  },
  {
    name: "the minutes of a GPU are limited",
    budget: { usd: 1, minutes: 10, candidates: 9, gpuMinutes: 5 },
    evaluator: Object.assign(new ScriptedEvaluator(), { gpuMinutes: 1.5 }),
    texts: ["// bound 1500\n", "// bound 10\n", "// bound 5\n"],
  },
  { name: "a strategy that repeats itself for ever is ended", texts: Array.from({ length: 20 }, () => slow) },
];

for (const { name, texts, ...session } of cases) {
  test(name, async () => {
    const { result, log, evaluator } = await runScripted(scriptedStrategy(texts), {
      baseline: slow,
      ...session,
    });
    expect(evaluator.closed).toBe(1);
    expectCase(`agent/loop/${name.replaceAll(" ", "-")}.json`, {
      outcome: result.outcome,
      events: traceOf(log.events),
    });
  });
}

test("a runner that is lost once costs the candidate, twice the session", async () => {
  const evaluator = new ScriptedEvaluator();
  evaluator.onLost = () =>
    new OperationalError("worker-lost", {
      forUser: "the worker at /home/me ended",
      forModel: "the worker ended",
    });
  const once = await runScripted(scriptedStrategy(["// lost\n", "// bound 10\n"]), {
    baseline: slow,
    evaluator,
  });
  expect(once.result.outcome).toBe("improved");
  const twice = await runScripted(scriptedStrategy(["// lost\n", "// lost again\n// lost\n"]), {
    baseline: slow,
    evaluator,
  });
  expect([twice.result.outcome, twice.result.reason]).toEqual(["failed", "the worker at /home/me ended"]);
});

test("a session that mends a kernel goes on after a stop anywhere", async () => {
  const texts = ["// again\n// wrong\n", "// bound 900\n", "// bound 500\n"];
  const baseline = "// wrong\n";
  const whole = await runScripted(scriptedStrategy(texts), { baseline, reference: byExpression });
  const outcomes = new Set<string>();
  for (let stopAt = 1; stopAt <= whole.evaluator.calls.length; stopAt += 1) {
    const log = new MemorySessionLog();
    const evaluator = new ScriptedEvaluator();
    const controller = new AbortController();
    evaluator.onCall = () => {
      if (evaluator.calls.length === stopAt) controller.abort();
    };
    const { signal } = controller;
    await runScripted(scriptedStrategy(texts), {
      ...{ baseline, reference: byExpression, log, evaluator, signal },
    });
    const { result } = await runScripted(scriptedStrategy(texts), {
      ...{ baseline, reference: byExpression, log, resume: true },
    });
    const proposal = log.events.findLast(({ type }) => type === "proposal.ready");
    outcomes.add(JSON.stringify([result.outcome, result.best?.verdict, proposal?.data]));
  }
  const proposal = whole.log.events.findLast(({ type }) => type === "proposal.ready");
  expect([...outcomes].map((each) => (JSON.parse(each) as [string, unknown]).slice(0, 2))).toEqual([
    ["improved", JSON.parse(JSON.stringify(whole.result.best?.verdict)) as unknown],
  ]);
  expect(proposal?.data).toMatchObject({
    before: { outcome: "wrong", summary: expect.stringMatching(/^wrong on shape n=64: y\[3\]/) as string },
  });
});

test("minutes are limited, resumed ones included", async () => {
  const clock = new TestClock();
  const strategy = scriptedStrategy(["// bound 1500\n", "// bound 10\n"], () => clock.advance(6 * 60_000));
  const { result, log } = await runScripted(strategy, { baseline: slow, clock });
  expect([result.outcome, result.best?.candidate.id]).toEqual(["improved", "c2"]);
  const resumed = await runScripted(scriptedStrategy(["// bound 5\n"]), {
    baseline: slow,
    log,
    resume: true,
  });
  expect([resumed.result.outcome, log.events.at(-1)?.data]).toMatchObject([
    "improved",
    { status: "succeeded", best: "c2", used: { minutes: 12, candidates: 2 } },
  ]);
});

test("a candidate may not touch a file outside of its scope", async () => {
  const strategy = scriptedStrategy([]);
  let asked = 0;
  const { result, log } = await runScripted(
    {
      ...strategy,
      propose: (context) => {
        asked += 1;
        if (asked > 1) return Promise.resolve({ kind: "done", reason: JSON.stringify(context.feedback) });
        return Promise.resolve({
          kind: "candidate",
          tree: { ...context.baseline.candidate.tree, "lib.h": "// bound 1\n" },
          parent: "baseline",
          hypothesis: "cheat",
          origin: "scripted",
        });
      },
    },
    { baseline: slow },
  );
  expect(result.reason).toBe('{"kind":"rejected","reason":"lib.h may not be changed; these may: k.cu"}');
  expect(
    log.events.some((event) => event.type === "candidate.created" && event.data.candidate === "c1"),
  ).toBe(false);
});

test("a strategy is never shown a held-out shape", async () => {
  const seen: string[] = [];
  await runScripted(
    scriptedStrategy(
      ["// bound 500\n"],
      (context) => void seen.push(JSON.stringify((context as StrategyContext).spec.shapes)),
    ),
    { baseline: slow },
  );
  expect(new Set(seen)).toEqual(new Set(['[{"sizes":{"n":64}}]']));
});
