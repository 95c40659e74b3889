import { expect, test } from "vitest";
import { not, type Rule, type RuleInput } from "../../../server/core/agent/rulebook/rule";
import { createStrategy, strategyChoices } from "../../../server/core/agent/strategies/index";
import { rulebookStrategy } from "../../../server/core/agent/strategies/rulebook";
import type { HoldReason } from "../../../server/core/trajectory/events";
import { reduceSession } from "../../../server/core/trajectory/reduce";
import { memoryFiles } from "../../harness/memory-files";
import { TestClock } from "../../harness/test-clock";
import { runScripted } from "../../harness/agent-session";
import { kernelFile } from "../../harness/scripted-evaluator";

const parse = (): undefined => undefined;

/** A rule that replaces a text of the kernel's file when it is there. */
function replacing(id: string, from: string, to: string, gain: number): Rule {
  return {
    id,
    title: id,
    cause: { id: "waste", words: "time is wasted" },
    dialects: ["cuda"],
    answer(input) {
      const text = input.tree[kernelFile] ?? "";
      if (!text.includes(from)) return [not("no-pattern", `${from} is not there`, 1)];
      const evidence = {
        file: kernelFile,
        line: 1,
        counter: "globalLoadSectors" as const,
        value: 64,
        ideal: 32,
        sentence: "line 1 moves twice the sectors that it needs.",
      };
      return [
        {
          kind: "proposal",
          tree: { ...input.tree, [kernelFile]: text.replace(from, to) },
          hypothesis: `Put ${to} for ${from}.`,
          evidence,
          gain,
        },
      ];
    },
  };
}

test("the greatest gain goes first, winners are built upon, and it ends when no rule has anything new", async () => {
  const rules = [
    replacing("small", "bound 1000", "bound 900", 0.1),
    replacing("great", "bound 1000", "bound 500", 0.5),
    replacing("next", "bound 500", "bound 300", 0.2),
    replacing("worse", "bound 300", "bound 700", 0.9),
  ];
  const { result, log } = await runScripted(rulebookStrategy({ rules, parse }), {
    baseline: "// bound 1000\n",
  });
  const tried = log.events.flatMap((event) =>
    event.type === "candidate.created"
      ? [
          `${event.data.candidate} on ${event.data.parent ?? "nothing"} ${event.data.strategy}: ${event.data.hypothesis}`,
        ]
      : [],
  );
  expect(tried.slice(1)).toEqual([
    "c1 on baseline rulebook:great: Put bound 500 for bound 1000 (line 1 moves twice the sectors that it needs)",
    "c2 on c1 rulebook:next: Put bound 300 for bound 500 (line 1 moves twice the sectors that it needs)",
    "c3 on c2 rulebook:worse: Put bound 700 for bound 300 (line 1 moves twice the sectors that it needs)",
  ]);
  expect([result.outcome, result.best?.candidate.id, result.reason]).toEqual([
    "improved",
    "c2",
    "candidate 2 is faster than the baseline: modelled bound 1 µs → 300 ns (70% less). Stopped: every rewrite that the rulebook has for candidate 2 was tried",
  ]);
});

/** A rule with two ways to mend the same line. */
function eitherWay(id: string, from: string, [first, second]: readonly [string, string]): Rule {
  const [one, other] = [replacing(id, from, first, 0.5), replacing(id, from, second, 0.5)];
  return {
    ...one,
    answer: (input) => [
      ...one.answer(input),
      ...other
        .answer(input)
        .flatMap((answer) => (answer.kind === "proposal" ? [{ ...answer, isAlternative: true }] : [])),
    ],
  };
}

test.each([
  ["the other way is better", ["bound 500", "bound 300"], ["c1 on baseline", "c2 on baseline"], "c2"],
  ["the other way is worse", ["bound 300", "bound 500"], ["c1 on baseline", "c2 on baseline"], "c1"],
  ["the first way is no gain", ["bound 1500", "bound 500"], ["c1 on baseline", "c2 on baseline"], "c2"],
] as const)(
  "a winner's alternative is tried on the winner's own parent: %s",
  async (_, ways, tried, best) => {
    const { result, log } = await runScripted(
      rulebookStrategy({ rules: [eitherWay("two", "bound 1000", ways)], parse }),
      { baseline: "// bound 1000\n" },
    );
    const created = log.events.flatMap((event) =>
      event.type === "candidate.created"
        ? [`${event.data.candidate} on ${event.data.parent ?? "nothing"}`]
        : [],
    );
    expect([created.slice(1), result.best?.candidate.id]).toEqual([tried, best]);
  },
);

test.each([
  ["gained little, and another one more", [950, 400], ["c1 on baseline", "c2 on baseline"], "c2"],
  ["gained little, and another one less", [950, 980], ["c1 on baseline", "c2 on baseline"], "c1"],
  ["gained enough", [850, 400], ["c1 on baseline"], "c1"],
] as const)(
  "a rewrite that no longer fits the winner is tried on the winner's own parent: the winner %s",
  async (_, [first, second], tried, best) => {
    const rules = [
      replacing("first", "bound 1000", `bound ${first}`, 0.9),
      replacing("second", "bound 1000", `bound ${second}`, 0.5),
      replacing("promises little", "bound 1000", "bound 300", 0.05),
    ];
    const { result, log } = await runScripted(rulebookStrategy({ rules, parse }), {
      baseline: "// bound 1000\n",
    });
    const created = log.events.flatMap((event) =>
      event.type === "candidate.created"
        ? [`${event.data.candidate} on ${event.data.parent ?? "nothing"}`]
        : [],
    );
    expect([created.slice(1), result.best?.candidate.id]).toEqual([tried, best]);
  },
);

test("no rule mends a wrong kernel, and it says who can", async () => {
  const { result, log } = await runScripted(rulebookStrategy({ rules: [], parse }), {
    baseline: "// wrong\n",
    reference: { kind: "expression", expressions: { y: "x" } },
  });
  expect([result.outcome, result.reason, log.events.at(-1)?.data]).toMatchObject([
    "failed",
    "the kernel as it stands is wrong on shape n=64. No rule of the rulebook mends a kernel: they make a correct one faster",
    { ending: "no-rule-mends", best: null },
  ]);
});

const floorCases = [
  ["// bound 400\n", "no_gain", "at-floor"],
  ["// bound 500\n", "succeeded", "at-floor"],
  ["// bound 1000\n", "no_gain", "nothing-left"],
  ["// bound 400 // simulated 5000\n", "no_gain", "nothing-left"],
] as const;

test.each(floorCases)(
  "what is at its floor when nothing is left ends so: %j",
  async (text, status, ending) => {
    const rules = [replacing("to the floor", "bound 500", "bound 400", 0.5)];
    const { strategy } = await createStrategy("rulebook", {
      ...{ rules, parse, files: memoryFiles({}), clock: new TestClock() },
      model: () => Promise.reject(new Error("no model was to be asked")),
    });
    const { log } = await runScripted(strategy, { baseline: text });
    expect(log.events.at(-1)?.data).toMatchObject({ status, ending });
  },
);

test("no rule that fires is no gain, and a rule that breaks is named and costs nothing else", async () => {
  const broken: Rule = {
    id: "broken",
    title: "",
    cause: { id: "waste", words: "time is wasted" },
    dialects: ["cuda"],
    answer: () => {
      throw new Error("no such node");
    },
  };
  const other: Rule = { ...broken, id: "other", dialects: ["triton"] };
  const { result } = await runScripted(
    rulebookStrategy({ rules: [broken, other, replacing("none", "absent", "x", 1)], parse }),
    { baseline: "// bound 1000\n" },
  );
  expect([result.outcome, result.reason]).toEqual([
    "no-gain",
    "no rule of the rulebook fits the baseline: none finds both waste that it removes and code that it knows how to rewrite; rules that failed: broken (no such node)",
  ]);
});

test("what holds the rules back stands in the log of the original and of the best, the most telling reason first, with causes that rules name and that were counted", async () => {
  const held = (id: string, because: HoldReason, line: number): Rule => ({
    id,
    title: id,
    cause: { id: "waste", words: "time is wasted" },
    dialects: ["cuda"],
    answer: () => [not(because, `${id} waits`, line)],
  });
  const rules = [
    held("absent", "no-pattern", 1),
    held("fixed", "fixed-elsewhere", 2),
    replacing("great", "bound 1000", "bound 500", 0.5),
  ];
  const { log } = await runScripted(rulebookStrategy({ rules, parse }), { baseline: "// bound 1000\n" });
  const written = log.events.flatMap((event) => (event.type === "rules.held_back" ? [event.data] : []));
  const [, last] = written;
  expect(written[0]).toEqual({
    candidate: "baseline",
    rules: last?.rules.filter(({ rule }) => rule !== "great"),
    causes: last?.causes,
  });
  expect(written.slice(1)).toEqual([
    {
      candidate: "c1",
      rules: [
        { rule: "fixed", title: "fixed", because: "fixed-elsewhere", sentence: "fixed waits", line: 2 },
        { rule: "absent", title: "absent", because: "no-pattern", sentence: "absent waits", line: 1 },
        {
          rule: "great",
          title: "great",
          because: "no-pattern",
          sentence: "bound 1000 is not there",
          line: 1,
        },
      ],
      causes: [
        {
          cause: "waste",
          words: "time is wasted",
          share: 0.5,
          line: 1,
          sentence: "line 1 moves twice the sectors that it needs.",
        },
        {
          cause: "strided-threads",
          words: "the elements of neighbouring threads lie far apart",
          share: 0.5,
          line: 1,
          sentence: "line 1 moves 64 sectors where 32 would do: each thread has a run of elements of its own",
          helps: "neighbouring elements for neighbouring threads, in steps of the block",
        },
      ],
    },
  ]);
  expect(reduceSession(log.events).heldRules).toEqual(last?.rules);
});

test("what costs time is told, too, where the budget ends before a rewrite was tried", async () => {
  const rules = [replacing("great", "bound 1000", "bound 500", 0.5)];
  const { result, log } = await runScripted(rulebookStrategy({ rules, parse }), {
    baseline: "// bound 1000\n",
    budget: { usd: 1, minutes: 10, candidates: 0 },
  });
  const { causes } = reduceSession(log.events);
  expect([result.outcome, causes.map(({ cause }) => cause)]).toEqual(["limit", ["waste", "strided-threads"]]);
});

test("a rule sees what was counted on the candidate that it rewrites, without hidden shapes", async () => {
  const seen: RuleInput[] = [];
  const watching: Rule = {
    id: "watch",
    title: "",
    cause: { id: "waste", words: "time is wasted" },
    dialects: ["cuda"],
    answer: (input) => {
      seen.push(input);
      return [not("no-evidence", "only looking", 1)];
    },
  };
  await runScripted(
    rulebookStrategy({
      rules: [watching, replacing("go", "bound 1000", "bound 500\n// sectors 32", 1)],
      parse,
    }),
    { baseline: "// bound 1000\n" },
  );
  expect(
    seen.map((input) => [
      input.counters.totals.globalLoadSectors,
      input.bound.nanoseconds,
      input.spec.shapes,
      input.sizes,
    ]),
  ).toEqual([
    [64, 1000, [{ sizes: { n: 64 } }], { n: 64 }],
    [32, 500, [{ sizes: { n: 64 } }], { n: 64 }],
  ]);
});

test("it goes on after an interruption without trying anything twice", async () => {
  const rules = [
    replacing("worse", "bound 1000", "bound 1500", 0.9),
    replacing("better", "bound 1000", "bound 500", 0.5),
  ];
  const budget = { usd: 1, minutes: 10, candidates: 1 };
  const first = await runScripted(rulebookStrategy({ rules, parse }), {
    baseline: "// bound 1000\n",
    budget,
  });
  expect(first.result.outcome).toBe("limit");
  const second = await runScripted(rulebookStrategy({ rules, parse }), {
    baseline: "// bound 1000\n",
    log: first.log,
    resume: true,
  });
  expect([second.result.outcome, second.result.best?.candidate.id]).toEqual(["improved", "c2"]);
});

test("strategies are made by name", async () => {
  const parts = {
    rules: [],
    parse,
    files: memoryFiles({}),
    clock: new TestClock(),
    model: () => Promise.reject(new Error("asked for a model")),
  };
  expect((await createStrategy("rulebook", parts)).strategy.name).toBe("rulebook");
  await expect(createStrategy("refine", parts)).rejects.toThrow("asked for a model");
  await expect(createStrategy("__proto__", parts)).rejects.toThrow(
    `there is no strategy "__proto__"; write one of: ${strategyChoices.map(({ id }) => id).join(", ")}`,
  );
});
