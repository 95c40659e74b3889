import { expect, test } from "vitest";
import { Budget } from "../../../server/core/agent/budget";
import { tokensOfReply } from "../../../server/core/agent/dialogue/conversation/tokens";
import { budgetText } from "../../../server/core/agent/dialogue/verdict-text";
import { resumeState } from "../../../server/core/agent/resume";
import { budgetLeft } from "../../../server/core/agent/strategies/search/archive";
import { givenMore, onTopOf, resumedBudget } from "../../../server/core/trajectory/proposal/more-budget";
import type { BudgetLimits, BudgetUsed, SessionEvent } from "../../../server/core/trajectory/events";
import { HeldTime } from "../../../server/host/worker/hardware/timed/held-time";
import { TestClock } from "../../harness/test-clock";

const usual: BudgetLimits = { usd: 1, minutes: 10, candidates: 6 };

interface Case {
  readonly name: string;
  readonly limits: Partial<BudgetLimits>;
  readonly used?: Partial<BudgetUsed>;
  /** Minutes for which a GPU was held in this session; without a GPU when left out. */
  readonly held?: number;
  /** Tokens of calls that have no answer yet. */
  readonly asked?: readonly number[];
  /** Tokens that the next call may take. */
  readonly next?: number;
  /** Before a call, and before a candidate. */
  readonly gives: readonly [string, string];
  readonly told: string;
  readonly share: number;
}

const none = "6 candidates, 10 minutes";
const cases: readonly Case[] = [
  { name: "no limit", limits: {}, next: 1e9, gives: ["go", "go"], told: `${none}, 1.00 USD`, share: 1 },
  {
    name: "tokens that suffice",
    ...{ limits: { tokens: 1000 }, used: { tokens: 400 }, next: 600 },
    ...{ gives: ["go", "go"], told: `${none}, 600 tokens, 1.00 USD`, share: 0.6 },
  },
  {
    name: "one token too many",
    ...{ limits: { tokens: 1000 }, used: { tokens: 400 }, next: 601 },
    gives: ["tokens: the next call may take 601 tokens and 600 of 1000 are left", "go"],
    ...{ told: `${none}, 600 tokens, 1.00 USD`, share: 0.6 },
  },
  {
    name: "what open questions may take is kept back",
    ...{ limits: { tokens: 1000 }, asked: [300, 300], next: 500 },
    gives: ["tokens: the next call may take 500 tokens and 400 of 1000 are left", "go"],
    ...{ told: `${none}, 1000 tokens, 1.00 USD`, share: 1 },
  },
  {
    name: "a GPU that may be held on",
    ...{ limits: { gpuMinutes: 5 }, used: { gpuMinutes: 1 }, held: 3.5 },
    ...{ gives: ["go", "go"], told: `${none}, 0.5 minutes of the GPU, 1.00 USD`, share: 0.1 },
  },
  {
    name: "a GPU that was held long enough, earlier times among it",
    ...{ limits: { gpuMinutes: 5 }, used: { gpuMinutes: 2 }, held: 3 },
    gives: ["gpuMinutes: the GPU was held for 5 minutes", "gpuMinutes: the GPU was held for 5 minutes"],
    ...{ told: `${none}, 0 minutes of the GPU, 1.00 USD`, share: 0 },
  },
  {
    name: "no GPU holds nothing up",
    ...{ limits: { gpuMinutes: 0 }, gives: ["go", "go"] },
    ...{ told: `${none}, 0 minutes of the GPU, 1.00 USD`, share: 1 },
  },
];

test.each(cases)("$name", ({ limits, used, held, asked = [], next = 0, gives, told, share }) => {
  const before = { usd: 0, minutes: 0, candidates: 0, modelCalls: 0, ...used };
  const gpu = (): number | undefined => (held === undefined ? undefined : held * 60_000_000);
  const budget = new Budget({ ...usual, ...limits }, new TestClock(), before, gpu);
  const ends = asked.map((tokens) => budget.hold({ usd: 0, tokens }));
  const allowances = [budget.beforeModelCall({ usd: 0, tokens: next }), budget.beforeCandidate()];
  expect(
    allowances.map((each) => (each.kind === "limit" ? `${each.limit}: ${each.reason}` : each.kind)),
  ).toEqual(gives);
  for (const end of ends) end();
  expect(budget.beforeModelCall({ usd: 0, tokens: 0 }).kind).toBe(gives[1] === "go" ? "go" : "limit");
  expect(budgetText(budget)).toBe(told);
  expect(budgetLeft({ budget })).toBeCloseTo(share, 9);
});

test("what was used is counted on, and left out where there was none", () => {
  const budget = new Budget(usual, new TestClock(), undefined, () => 90_000_000);
  expect(new Budget(usual, new TestClock()).used).toEqual({
    usd: 0,
    minutes: 0,
    candidates: 0,
    modelCalls: 0,
  });
  budget.spendModelCall({ usd: 0.5, tokens: 700 }, 0);
  budget.spendModelCall({ usd: null, tokens: 300 }, 0);
  expect(budget.used).toMatchObject({ usd: 0.5, modelCalls: 2, tokens: 1000, gpuMinutes: 1.5 });
});

test("more of what has no limit is no limit", () => {
  const budget = new Budget({ ...usual, tokens: 1000 }, new TestClock());
  budget.raise({ ...usual, tokens: 500, gpuMinutes: 5 });
  budget.raise(usual);
  expect(budget.limits).toEqual({ usd: 3, minutes: 30, candidates: 18, tokens: 1500 });
});

const six = { usd: 0.2, minutes: 4, candidates: 6, modelCalls: 3, tokens: 900 };
const resumes: readonly (readonly [string, Parameters<typeof resumedBudget>, BudgetLimits])[] = [
  ["its own limits", [{ status: "crashed", used: six, limits: usual }, usual], usual],
  [
    "its own limits as they were raised",
    [{ status: "cancelled", used: six, limits: { ...usual, candidates: 9 } }, usual],
    { ...usual, candidates: 9 },
  ],
  [
    "as much again where it ended at them",
    [
      { status: "limit", used: six, limits: usual },
      { ...usual, tokens: 1000 },
    ],
    { usd: 1.2, minutes: 14, candidates: 12, tokens: 1900 },
  ],
  [
    "as much again where it ended at them with a gain",
    [{ status: "succeeded", ending: "budget-gpu-minutes", used: six, limits: usual }, usual],
    { usd: 1.2, minutes: 14, candidates: 12 },
  ],
  [
    "what was said, and its own limits",
    [{ status: "limit", used: six, limits: usual }, usual, { candidates: 8, tokens: 5000 }],
    { ...usual, candidates: 8, tokens: 5000 },
  ],
  ["a log without a count", [{ status: "crashed", used: six, limits: undefined }, usual], usual],
];

test.each(resumes)("a session that goes on has %s", (_, given, expected) => {
  expect(resumedBudget(...given)).toEqual(expected);
});

test("a budget on top of what was used", () => {
  expect(onTopOf(six, { ...usual, gpuMinutes: 2 })).toEqual({
    ...{ usd: 1.2, minutes: 14, candidates: 12 },
    gpuMinutes: 2,
  });
});

test.each<readonly [Partial<BudgetLimits>, Partial<BudgetLimits>, number | undefined]>([
  [{}, {}, undefined],
  [{ tokens: 1000 }, {}, 1900],
  [{ tokens: 1000 }, { tokens: 50 }, 950],
  [{}, { tokens: 50 }, 950],
])("begun with %o and given %o, tokens are limited to %s in all", (begun, given, tokens) => {
  const task = { specPath: "", specText: "", file: "k.cu", kernel: "k", target: "", strategy: "" };
  const state = { used: six, task: { ...task, budget: { ...usual, ...begun } } };
  expect(givenMore(state, { ...usual, ...given })).toMatchObject({ candidates: 12 });
  expect(givenMore(state, { ...usual, ...given }).tokens).toBe(tokens);
});

test("a log that counted no tokens has them in its answers", () => {
  const answer = { usage: { input_uncached: 100, cache_read: 20, cache_write: null, output: 30 }, cost: {} };
  const used = { usd: 0, minutes: 1, candidates: 0, modelCalls: 1 };
  const log = (counted: object): SessionEvent[] =>
    [
      { type: "llm.response", data: answer },
      { type: "budget.updated", data: { limits: usual, used: { ...used, ...counted } } },
      { type: "llm.response", data: answer },
    ] as unknown as SessionEvent[];
  expect([{}, { tokens: 500 }].map((counted) => resumeState(log(counted)).used.tokens)).toEqual([300, 650]);
});

test.each([
  [{ inputUncached: 100, cacheRead: 40, cacheWrite: null, output: 20 }, 160],
  [{ inputUncached: null, cacheRead: null, cacheWrite: null, output: 20 }, 90],
  [{ inputUncached: 100, cacheRead: 0, cacheWrite: 0, output: null }, 104],
])("tokens of an answer with the usage %o", (usage, tokens) => {
  const reply = {
    kind: "reply" as const,
    finish: "stop" as const,
    ...{ text: "abcdef", reasoning: null, costUsd: 0, model: "m", attempts: 1 },
    toolCalls: [{ callId: "x", name: "edit", rawArguments: "{}" }],
    usage: { ...usage, reasoning: null },
  };
  expect(tokensOfReply(reply, 70)).toBe(tokens);
});

test("a GPU is held by claims that may overlap", () => {
  let now = 0;
  const held = new HeldTime(() => now);
  const first = held.begin();
  now = 10;
  const second = held.begin();
  now = 30;
  first();
  first();
  expect(held.microseconds).toBe(50);
  now = 40;
  second();
  now = 100;
  expect(held.microseconds).toBe(60);
});
