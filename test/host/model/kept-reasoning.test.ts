import { afterEach, expect, test } from "vitest";
import type { ModelMessage, ModelReply } from "../../../server/core/ports/model";
import { modelSettings } from "../../../server/host/model/model-settings";
import { openAiProvider } from "../../../server/host/model/openai-provider";
import type { Script, ScriptedReply } from "../../harness/openai-script";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

const finish = { name: "finish", arguments: { reason: "done" } };
const answered = {
  text: "",
  toolCalls: [{ callId: "c1", name: "finish", rawArguments: '{"reason":"done"}' }],
};
/** An answer that was shortened since, or that a session read from its log. */
const shortened = { ...answered, toolCalls: [{ callId: "c1", name: "finish", rawArguments: "{}" }] };
const deepSeek = {
  word: '"reasoning_content"',
  refusal: "The reasoning_content in the thinking mode must be passed back to the API.",
};
const gemini = {
  word: '"thought_signature"',
  refusal: "Function call is missing a thought_signature in functionCall parts.",
};
const signed = { google: { thought_signature: "sig" } };
const skipped = { google: { thought_signature: "skip_thought_signature_validator" } };
const thoughts = ["why ", "not"].map((reasoning_content) => ({ reasoning_content }));

const cases: readonly {
  readonly name: string;
  readonly first: ScriptedReply;
  readonly script?: Omit<Script, "replies">;
  readonly back?: Readonly<typeof answered>;
  /** Asked without the first question: the answer comes from a log. */
  readonly resumed?: true;
  readonly fields?: object;
  readonly ofCall?: object;
  readonly attempts?: number;
}[] = [
  { name: "an endpoint that sent nothing gets nothing", first: { calls: [finish] } },
  {
    name: "reasoning_content",
    first: { before: thoughts, calls: [finish] },
    script: { wants: deepSeek },
    fields: { reasoning_content: "why not" },
  },
  {
    name: "reasoning_content of an answer that was shortened",
    first: { before: thoughts, calls: [finish] },
    script: { wants: deepSeek },
    back: shortened,
    fields: { reasoning_content: " " },
  },
  {
    name: "reasoning_content of an answer that comes from a log",
    first: { calls: [finish] },
    script: { wants: deepSeek },
    resumed: true,
    fields: { reasoning_content: " " },
    attempts: 2,
  },
  {
    name: "an empty reasoning_content was none",
    first: { before: [{ reasoning_content: "" }], calls: [finish] },
  },
  {
    name: "reasoning_content that another server misses in its own words",
    first: { calls: [finish] },
    script: {
      wants: {
        word: '"reasoning_content":" "',
        refusal:
          "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
      },
    },
    resumed: true,
    fields: { reasoning_content: " " },
    attempts: 2,
  },
  {
    name: "reasoning_content to a server that refuses its own",
    first: { before: thoughts, calls: [finish] },
    script: { refuses: "reasoning_content" },
    attempts: 2,
  },
  {
    name: "reasoning_details, pieces of a text joined",
    first: {
      before: [
        { reasoning_details: [{ type: "reasoning.text", index: 0, text: "why ", signature: null }] },
        { reasoning_details: [{ type: "reasoning.text", index: 0, text: "not", signature: null }] },
        { reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }] },
        { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "x" }] },
        { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "y" }] },
      ],
      calls: [finish],
    },
    script: { wants: { word: '"reasoning_details"', refusal: "no thinking" } },
    fields: {
      reasoning_details: [
        { type: "reasoning.text", index: 0, text: "why not", signature: "sig" },
        { type: "reasoning.encrypted", index: 1, data: "x" },
        { type: "reasoning.encrypted", index: 1, data: "y" },
      ],
    },
  },
  {
    name: "the signature of a call",
    first: { calls: [{ ...finish, extra_content: signed }] },
    script: { wants: gemini },
    ofCall: { extra_content: signed },
  },
  {
    name: "the signature of a call that was shortened",
    first: { calls: [{ ...finish, extra_content: signed }] },
    script: { wants: gemini },
    back: shortened,
    ofCall: { extra_content: skipped },
  },
  {
    name: "the signature of a call that comes from a log",
    first: { calls: [finish] },
    script: { wants: gemini },
    resumed: true,
    ofCall: { extra_content: skipped },
    attempts: 2,
  },
];

test.each(cases)("what a model thought goes back: $name", async (each) => {
  const { first, script, back = answered, resumed, fields = {}, ofCall = {}, attempts = 1 } = each;
  const replies = [...(resumed ? [] : [first]), { text: "ok" }];
  server = await startOpenAiServer({ ...script, replies });
  const provider = openAiProvider({
    ...{ endpoint: server.url, model: "m", key: "", price: null, clock: new TestClock(), random: () => 0.5 },
    settings: modelSettings("m", server.url),
  });
  const ask = (messages: readonly ModelMessage[]): Promise<ModelReply> =>
    provider.complete({ messages, tools: [], maxOutputTokens: 100 }, new AbortController().signal);
  const opening = { role: "user" as const, text: "u" };
  if (!resumed) expect(await ask([opening])).toMatchObject({ kind: "reply", finish: "tool-calls" });
  const reply = await ask([
    opening,
    { role: "assistant", ...back },
    { role: "tool", callId: "c1", name: "finish", text: "bad" },
  ]);
  expect(reply).toMatchObject({ kind: "reply", text: "ok", attempts });
  const [{ callId: id = "", name = "", rawArguments = "" } = {}] = back.toolCalls;
  expect(server.requests.at(-1)?.body.messages[1]).toEqual({
    ...{ role: "assistant", content: "" },
    ...fields,
    tool_calls: [{ id, type: "function", function: { name, arguments: rawArguments }, ...ofCall }],
  });
});
