import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import type { ModelRequest } from "../../../server/core/ports/model";
import type { User } from "../../../server/core/ports/user";
import { promptTexts } from "../../../server/core/prompts/render";
import { terminalPrice, terminalUser } from "../../../server/host/cli/session/terminal-user";
import { editorUser } from "../../../server/host/lsp/models/editor-user";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { MemorySessionLog } from "../../harness/memory-session-log";
import type { ScriptedReply } from "../../harness/openai-script";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
const baseline = "// bound 1000\n";
const ask = (question: string): ScriptedReply => ({ calls: [{ name: "ask_user", arguments: { question } }] });
const finish: ScriptedReply = { calls: [{ name: "finish", arguments: { reason: "done" } }] };

/** What stands behind the task in a request: answers of tools, and what the user says. */
function told(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? [])
    .slice(2)
    .filter(({ role }) => role !== "assistant")
    .map(({ role, text }) => `${role}: ${text}`);
}

const hour = 3_600_000;

test("a question waits for its answer outside of the budget; the answer is heard after a resume too", async () => {
  const clock = new TestClock();
  const asked: string[] = [];
  const user: User = {
    ask: ({ kernel, text }) => {
      asked.push(`${kernel}: ${text}`);
      clock.advance(hour);
      return Promise.resolve(asked.length === 1 ? " only rows of 128 " : undefined);
    },
  };
  const log = new MemorySessionLog();
  const controller = new AbortController();
  const first = new ScriptedModel([
    ask("Which rows?"),
    ask(""),
    ask("x".repeat(601)),
    ask("And types?"),
    finish,
  ]);
  first.onComplete = () => {
    if (first.requests.length === 5) controller.abort();
  };
  const files = memoryFiles({});
  const refine = (model: ScriptedModel): ReturnType<typeof refineStrategy> =>
    refineStrategy({ provider: model, prompts, files, clock, rulebook: noRules });
  await runScripted(refine(first), { baseline, log, clock, user, signal: controller.signal });
  expect(asked).toEqual(["k: Which rows?", "k: And types?"]);
  expect(told(first.requests.at(-1))).toEqual([
    "tool: The user has answered; the answer is their next message.",
    "user: You asked: Which rows?\nMy answer: only rows of 128",
    "tool: The question is empty.",
    "tool: The question has 601 characters; at most 600 are put to the user.",
    "tool: Nobody is there to answer. Decide by yourself, and say in the hypothesis what you assumed.",
  ]);

  const second = new ScriptedModel([ask("a"), ask("b"), finish]);
  const { result } = await runScripted(refine(second), { baseline, log, clock, user, resume: true });
  expect(told(second.requests.at(-1)).slice(-2)).toEqual([
    "tool: Nobody is there to answer. Decide by yourself, and say in the hypothesis what you assumed.",
    "tool: No further question is put to the user in this session.",
  ]);
  expect(told(second.requests[0])).toContain("user: You asked: Which rows?\nMy answer: only rows of 128");
  expect(result.reason).toContain("the model finished: done");
  const used = log.events.flatMap((event) =>
    event.type === "budget.updated" ? [event.data.used.minutes] : [],
  );
  expect(Math.max(...used)).toBe(0);
});

const question = { kernel: "k", text: "Which\u001b[2J rows?" };

test.each([
  ["a line is the answer", "rows of 128\nmore\n", "rows of 128"],
  ["an empty line is none", "\n", undefined],
  ["nor is the end of the input", "", undefined],
])("at a terminal %s", async (_, typed, answer) => {
  const [input, errors] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  const user = terminalUser({ input, errors });
  expect(await user.ask(question, new AbortController().signal)).toBe(answer);
  expect(String(errors.read())).toContain("The model asks about k: Which\\x1b[2J rows?");
});

test("a price is asked for at a terminal", async () => {
  const [input, errors] = [new PassThrough(), new PassThrough()];
  input.end("2.5,15\n");
  const ask = terminalPrice({ input, errors }, new AbortController().signal);
  expect(await ask("mystery\u001b[2J")).toBe("2.5,15");
  expect(String(errors.read())).toContain("The price of the model mystery\\x1b[2J is not known.");
});

test("a question that nobody answers is given up, as is one of a session that is cancelled", async () => {
  const user = terminalUser({ input: new PassThrough(), errors: new PassThrough(), waitMilliseconds: 1 });
  expect(await user.ask(question, new AbortController().signal)).toBeUndefined();
  const patient = terminalUser({ input: new PassThrough(), errors: new PassThrough() });
  expect(await patient.ask(question, AbortSignal.abort())).toBeUndefined();
});

test("the editor's user is asked by our client alone", async () => {
  const asked: unknown[] = [];
  const connection = {
    sendRequest: (method: unknown, params: unknown) => {
      asked.push([method, params]);
      return asked.length === 1 ? Promise.resolve({ answer: "yes" }) : Promise.reject(new Error("gone"));
    },
  } as never;
  const { signal } = new AbortController();
  expect(await editorUser(connection, () => false).ask(question, signal)).toBeUndefined();
  const user = editorUser(connection, () => true);
  expect([await user.ask(question, signal), await user.ask(question, signal)]).toEqual(["yes", undefined]);
  expect(asked[0]).toEqual(["kernelwright/askUser", { kernel: "k", question: question.text }]);
});
