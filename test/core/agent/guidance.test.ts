import { expect, test } from "vitest";
import { Guidance } from "../../../server/core/agent/dialogue/guidance";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import type { ModelRequest } from "../../../server/core/ports/model";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import type { ScriptedReply } from "../../harness/openai-script";
import { kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const files = memoryFiles({ "readme.md": "x".repeat(4000) });
const baseline = "// bound 1000\n";
const look: ScriptedReply = {
  calls: [{ name: "read_file", arguments: { path: "readme.md" } }],
};
const edit: ScriptedReply = {
  calls: [
    {
      name: "edit",
      arguments: {
        path: kernelFile,
        old_text: "// bound 1000",
        new_text: "// bound 900",
      },
    },
    {
      name: "submit_candidate",
      arguments: { hypothesis: "fewer sectors on line 1" },
    },
  ],
};
const finish: ScriptedReply = {
  calls: [{ name: "finish", arguments: { reason: "done" } }],
};

/** What the user said, as far as the model of a request can see it; the first of theirs is the task. */
function heardIn(request: ModelRequest | undefined): readonly string[] {
  const users = (request?.messages ?? []).filter(({ role }) => role === "user");
  return users.slice(1).flatMap(({ text }) => (text.startsWith("user: ") ? [text] : []));
}

function refine(model: ScriptedModel): ReturnType<typeof refineStrategy> {
  return refineStrategy({
    provider: model,
    prompts,
    files,
    clock: new TestClock(),
    rulebook: noRules,
  });
}

test("a model hears its user before its next turn, after a resume, and in a conversation that begins anew", async () => {
  const log = new MemorySessionLog();
  const controller = new AbortController();
  const guidance = new Guidance();
  await guidance.say("user: keep the signature");
  const first = new ScriptedModel([look, edit, look]);
  first.onComplete = () => {
    if (first.requests.length === 2) void guidance.say("user: no fp16");
    if (first.requests.length === 3) void guidance.say("user: only this loop").then(() => controller.abort());
  };
  await runScripted(refine(first), {
    baseline,
    log,
    guidance,
    signal: controller.signal,
  });
  expect(first.requests.map(heardIn)).toEqual([
    ["user: keep the signature"],
    ["user: keep the signature"],
    ["user: keep the signature", "user: no fp16"],
  ]);

  // Nobody has read the last message: the run ended before.
  await expect(guidance.say("user: too late")).rejects.toThrow("The run has just ended.");

  const later = new Guidance();
  await later.say("user: try shared memory");
  const tooLong = {
    status: 400,
    code: "context_length_exceeded",
    message: "too long",
  };
  const second = new ScriptedModel([look, look, look, tooLong, tooLong, finish] as never);
  const { result } = await runScripted(refine(second), {
    baseline,
    log,
    guidance: later,
    resume: true,
  });
  const all = [
    "user: keep the signature",
    "user: no fp16",
    "user: only this loop",
    "user: try shared memory",
  ];
  expect(second.requests.map(heardIn)).toEqual(second.requests.map(() => all));
  expect(second.requests.at(-1)?.messages.length).toBe(6);
  expect([result.outcome, result.best?.candidate.id]).toEqual(["improved", "c1"]);
});

test("a run rests while its user pauses it, and gets a greater budget", async () => {
  const log = new MemorySessionLog();
  const guidance = new Guidance();
  const model = new ScriptedModel([look, finish]);
  let resting: Promise<void> = Promise.resolve();
  model.onComplete = () => {
    if (model.requests.length === 1) resting = rest();
  };
  const rest = async (): Promise<void> => {
    await guidance.control.pause();
    await guidance.control.raise({ usd: 1, minutes: 2, candidates: 3 });
    for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
    expect(model.requests.length).toBe(1);
    await guidance.control.proceed();
  };
  await runScripted(refine(model), { baseline, log, guidance });
  await resting;
  expect(model.requests.length).toBe(2);
  const moves = log.events.flatMap((event) => (event.type === "session.paused" ? [event.data.paused] : []));
  expect(moves).toEqual([true, false]);
  const limits = log.events.flatMap((event) => (event.type === "budget.updated" ? [event.data.limits] : []));
  expect(limits.at(-1)).toEqual({ usd: 2, minutes: 12, candidates: 27 });
  await expect(guidance.control.pause()).rejects.toThrow("The run has just ended.");
});

test.each([
  ["", "The message is empty."],
  [" \n", "The message is empty."],
  ["x".repeat(4001), "The message has 4001 characters; at most 4000 are taken."],
])("a message that is no message is refused", async (text, problem) => {
  await expect(new Guidance().say(text)).rejects.toThrow(problem);
});

test("a log of a version that wrote messages only where a model read them is taken up as well", async () => {
  const log = new MemorySessionLog();
  const guidance = new Guidance();
  await guidance.say("user: no fp16");
  await runScripted(refine(new ScriptedModel([look, finish])), {
    baseline,
    log,
    guidance,
  });
  const later = new Guidance();
  const events = log.events.filter(({ type }) => type !== "message.said");
  await later.restore(events, (stored) => log.loadText(stored));
  expect(later.all).toEqual(["user: no fp16"]);
});

test.each([
  { what: "with a better version", turns: 2, outcome: "improved", proposed: ["c1"] },
  { what: "before there is one", turns: 1, outcome: "no-gain", proposed: [] },
] as const)("a run that is ended for its best version proposes it: $what", async (run) => {
  const controller = new AbortController();
  const guidance = new Guidance();
  const model = new ScriptedModel([edit, look, finish]);
  model.onComplete = () => {
    if (model.requests.length !== run.turns) return;
    guidance.control.takeBest();
    controller.abort();
  };
  const { result, log } = await runScripted(refine(model), {
    baseline,
    guidance,
    signal: controller.signal,
  });
  expect(result.outcome).toBe(run.outcome);
  expect(result.reason).toContain("you took the best version so far");
  const proposed = log.events.flatMap((event) =>
    event.type === "proposal.ready" ? [event.data.candidate] : [],
  );
  expect(proposed).toEqual(run.proposed);
  const endings = log.events.flatMap((event) => (event.type === "session.ended" ? [event.data.ending] : []));
  expect(endings).toEqual(["taken"]);
  expect(() => guidance.control.takeBest()).toThrow("The run has just ended.");
});
