import { afterEach, expect, test } from "vitest";
import type { ModelMessage, ModelReply } from "../../../server/core/ports/model";
import { modelSettings } from "../../../server/host/model/model-settings";
import { openAiProvider } from "../../../server/host/model/openai-provider";
import type { Script } from "../../harness/openai-script";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

/** Asks the same model several times; gives the answers, and the bodies that the server received. */
async function ask(
  script: Script,
  { model, said }: { readonly model: string; readonly said: string },
  conversations: readonly (readonly ModelMessage[])[],
): Promise<{ readonly replies: readonly ModelReply[]; readonly bodies: readonly unknown[] }> {
  server = await startOpenAiServer(script);
  const provider = openAiProvider({
    ...{ endpoint: server.url, model, key: "", price: null, clock: new TestClock(), random: () => 0.5 },
    settings: modelSettings(model, server.url, said),
  });
  const replies: ModelReply[] = [];
  for (const messages of conversations)
    replies.push(
      await provider.complete({ messages, tools, maxOutputTokens: 100 }, new AbortController().signal),
    );
  return { replies, bodies: server.requests.map(({ body }) => body) };
}

const tools = [{ name: "finish", description: "ends", parameters: { type: "object", properties: {} } }];
const opening: readonly ModelMessage[] = [
  { role: "system", text: "s" },
  { role: "user", text: "u" },
];
const called = { name: "finish", rawArguments: '{"reason":"done"}' };
const second: readonly ModelMessage[] = [
  ...opening,
  { role: "assistant", text: "", toolCalls: [{ callId: "call_1_1", ...called }] },
  { role: "tool", callId: "call_1_1", name: "finish", text: "bad" },
];
const replies = [
  { thought: "secret", calls: [{ name: "finish", arguments: { reason: "done" } }] },
  { text: "ok", thought: "more" },
];

test("a conversation in the words of the Responses API, with what was thought before a call", async () => {
  const { bodies } = await ask({ replies }, { model: "m", said: "api=responses effort=high" }, [
    opening,
    second,
  ]);
  const asked = {
    ...{ model: "m", store: false, stream: true, max_output_tokens: 100, reasoning: { effort: "high" } },
    include: ["reasoning.encrypted_content"],
    tools: [{ type: "function", ...tools[0], strict: false }],
  };
  const begun = [
    { role: "system", content: "s" },
    { role: "user", content: "u" },
  ];
  expect(bodies).toEqual([
    { ...asked, input: begun },
    {
      ...asked,
      input: [
        ...begun,
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" },
        {
          ...{ type: "function_call", call_id: "call_1_1" },
          ...{ name: "finish", arguments: '{"reason":"done"}' },
        },
        { type: "function_call_output", call_id: "call_1_1", output: "bad" },
      ],
    },
  ]);
});

test("several calls of one answer go back one after the other, and then their answers", async () => {
  const calls = ["a", "b"].map((callId) => ({ callId, ...called }));
  const answered = calls.map(({ callId }): ModelMessage => ({
    ...{ role: "tool", callId, name: "finish", text: "bad" },
  }));
  const conversation = [
    ...opening,
    { role: "assistant" as const, text: "both", toolCalls: calls },
    ...answered,
  ];
  const { replies: answers, bodies } = await ask({ replies }, { model: "m", said: "api=responses" }, [
    conversation,
  ]);
  expect(answers).toMatchObject([{ kind: "reply", attempts: 1 }]);
  const { input } = bodies[0] as { readonly input: readonly { readonly call_id?: string }[] };
  expect(input.slice(2).map(({ call_id }) => call_id)).toEqual([undefined, "a", "b", "a", "b"]);
});

test("a server without some fields of the Responses API is asked without them", async () => {
  const script = { rejects: ["reasoning", "temperature", "max_output_tokens"], replies };
  const said = "api=responses effort=high temperature=1";
  const { replies: answers, bodies } = await ask(script, { model: "m", said }, [opening]);
  expect(answers).toMatchObject([{ kind: "reply", attempts: 4, finish: "tool-calls" }]);
  expect(Object.keys(bodies[0] as object).sort()).toEqual([
    "include",
    "input",
    "model",
    "store",
    "stream",
    "tools",
  ]);
});

test("a conversation is marked where the server may keep it, for models that need marks", async () => {
  const script = { replies: [{ text: "ok" }] };
  const { bodies } = await ask(script, { model: "anthropic/claude-sonnet-5", said: "" }, [second]);
  const marked = (text: string): object[] => [{ type: "text", text, cache_control: { type: "ephemeral" } }];
  expect(bodies).toMatchObject([
    {
      messages: [
        { role: "system", content: marked("s") },
        { role: "user", content: marked("u") },
        { role: "assistant", content: "" },
        { role: "tool", tool_call_id: "call_1_1", content: marked("bad") },
      ],
    },
  ]);
});
