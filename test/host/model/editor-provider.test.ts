import { expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import type { ModelRequest } from "../../../server/core/ports/model";
import { composeModel } from "../../../server/host/compose-model";
import type { EditorAnswer, EditorModels } from "../../../server/host/model/editor/editor-models";
import { editorModels } from "../../../server/host/model/editor/editor-provider";
import { TestClock } from "../../harness/test-clock";

const request: ModelRequest = { messages: [{ role: "user", text: "u" }], tools: [], maxOutputTokens: 100 };
const call = { callId: "x", name: "finish", rawArguments: "{}" };
const settings = {
  ...{ outputTokens: 1000, contextTokens: 128_000, requestsAtOnce: 1, silenceMilliseconds: 60_000 },
  api: "chat" as const,
};

/** An editor with one model that gives these answers, one after the other. */
function editorWith(answers: readonly (EditorAnswer | Error)[]): EditorModels {
  const left = [...answers];
  return {
    find: () => Promise.resolve({ found: { model: "copilot/m", inputTokens: 8000 }, offered: [] }),
    ask: () => {
      const answer = left.shift() ?? new Error("nothing more is scripted");
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

const failed = (
  cause: Extract<EditorAnswer, { kind: "failed" }>["cause"],
  message: string,
): EditorAnswer => ({
  ...{ kind: "failed", cause, message },
});

const cases: readonly (readonly [string, readonly (EditorAnswer | Error)[], object])[] = [
  [
    "text",
    [{ kind: "answer", text: "a", toolCalls: [] }],
    { kind: "reply", text: "a", finish: "stop", costUsd: 0, model: "copilot/m" },
  ],
  [
    "calls",
    [{ kind: "answer", text: "", toolCalls: [call] }],
    { kind: "reply", finish: "tool-calls", toolCalls: [call] },
  ],
  [
    "the user says no",
    [failed("no-consent", "not allowed")],
    { kind: "failed", failure: "refused-credentials", attempts: 1, message: "not allowed" },
  ],
  [
    "a model that went away",
    [failed("no-model", "gone")],
    { kind: "failed", failure: "bad-request", attempts: 1 },
  ],
  [
    "a conversation that is too long",
    [failed("other", "Message exceeds token limit: prompt is too long")],
    { kind: "failed", failure: "context-too-long", attempts: 1 },
  ],
  [
    "a fault that passes",
    [failed("other", "overloaded"), { kind: "answer", text: "b", toolCalls: [] }],
    { kind: "reply", text: "b", attempts: 2 },
  ],
  [
    "an editor that was closed",
    [new Error("closed"), new Error("closed"), new Error("closed")],
    { kind: "failed", failure: "server-error", attempts: 3, message: "closed" },
  ],
];

test.each(cases)("a model of the editor: %s", async (_, answers, expected) => {
  const provider = await editorModels.open({
    ...{ endpoint: "editor", model: "m", key: "", settings, price: null },
    ...{ editor: editorWith(answers), clock: new TestClock(), random: () => 0 },
  });
  expect(provider.limits).toEqual({ outputTokens: 1000, contextTokens: 9000, requestsAtOnce: 1 });
  expect(await provider.complete(request, new AbortController().signal)).toMatchObject(expected);
});

const missing: readonly (readonly [string, EditorModels | undefined, string])[] = [
  ["no editor at all", undefined, "can be asked from VS Code only"],
  ["an editor without models", offering([]), "offers no language model: sign in"],
  ["another name", offering(["copilot/a", "copilot/b"]), 'no model "m". It has: copilot/a, copilot/b.'],
];

test.each(missing)("no such model: %s", async (_, editor, expected) => {
  const options = { environment: {}, model: "m", endpoint: "editor" };
  const model = composeModel({ ...options, ...(editor ? { editorModels: editor } : {}) }, () => undefined);
  const fault = await model.open().catch((thrown: unknown) => thrown);
  expect(fault).toBeInstanceOf(OperationalError);
  expect(String(fault)).toContain(expected);
});

function offering(offered: readonly string[]): EditorModels {
  return { ...editorWith([]), find: () => Promise.resolve({ found: null, offered }) };
}
