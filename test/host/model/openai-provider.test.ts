import { afterEach, describe, expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../../server/core/ports/model";
import { type OpenAiOptions, openAiProvider } from "../../../server/host/model/openai-provider";
import type { Script } from "../../harness/openai-script";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

const servers: OpenAiServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const key = "sk-test-0123456789abcdef";
const call = { name: "finish", arguments: { reason: "done" } };
const request: ModelRequest = {
  messages: [
    { role: "system", text: "s" },
    { role: "user", text: "u" },
  ],
  tools: [{ name: "finish", description: "ends", parameters: { type: "object", properties: {} } }],
  maxOutputTokens: 100,
};

interface Played {
  readonly reply: ModelReply;
  readonly server: OpenAiServer;
  readonly clock: TestClock;
  readonly retries: readonly string[];
}

const settings = {
  ...{ outputTokens: 8192, contextTokens: 128_000, requestsAtOnce: 1, silenceMilliseconds: 60_000 },
  api: "chat" as const,
};

async function play(
  script: Script,
  options: Partial<OpenAiOptions> = {},
  asked: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<Played> {
  const server = await startOpenAiServer(script);
  servers.push(server);
  const clock = new TestClock();
  const retries: string[] = [];
  const provider = openAiProvider({
    endpoint: server.url,
    model: "m",
    key,
    settings,
    price: { input: 1, cachedInput: 0.1, output: 10 },
    clock,
    random: () => 0.5,
    ...options,
  });
  const reply = await provider.complete(
    {
      ...request,
      ...asked,
      onRetry: (attempt, wait, reason) => retries.push(`${attempt} ${wait} ${reason}`),
    },
    signal,
  );
  return { reply, server, clock, retries };
}

const usage = { prompt_tokens: 1000, completion_tokens: 50, cached_tokens: 600 };
const known = { inputUncached: 400, cacheRead: 600, cacheWrite: null, output: 50, reasoning: null };

const cases: readonly {
  readonly name: string;
  readonly script: Script;
  readonly expected: object;
  readonly sleeps?: readonly number[];
  readonly options?: Partial<OpenAiOptions>;
  /** Rests on what only Chat Completions has. */
  readonly isOfChat?: true;
}[] = [
  {
    name: "text and usage",
    script: { replies: [{ text: "a text that takes more than one chunk to deliver", usage }] },
    expected: {
      kind: "reply",
      text: "a text that takes more than one chunk to deliver",
      finish: "stop",
      usage: known,
      costUsd: 0.00096,
      attempts: 1,
      toolCalls: [],
      reasoning: null,
      model: "m",
    },
  },
  {
    name: "several tool calls in pieces",
    script: {
      replies: [
        { calls: [call, { name: "read_file", arguments: { path: "a/very/long/path/to/some/file.cu" } }] },
      ],
    },
    expected: {
      kind: "reply",
      finish: "tool-calls",
      toolCalls: [
        { callId: "scripted_0", name: "finish", rawArguments: '{"reason":"done"}' },
        {
          callId: "scripted_1",
          name: "read_file",
          rawArguments: '{"path":"a/very/long/path/to/some/file.cu"}',
        },
      ],
    },
  },
  {
    name: "malformed arguments come through as they are",
    script: { replies: [{ calls: [{ name: "finish", arguments: '{"reason": "un' }] }] },
    expected: {
      kind: "reply",
      toolCalls: [{ callId: "scripted_0", name: "finish", rawArguments: '{"reason": "un' }],
    },
  },
  {
    name: "a refusal",
    script: { replies: [{ refusal: "I will not" }] },
    expected: { kind: "reply", finish: "refusal", text: "I will not" },
  },
  {
    name: "an answer that was cut at the token limit",
    script: { replies: [{ text: "a", finish: "length" }] },
    expected: { kind: "reply", finish: "length" },
  },
  {
    name: "429 with Retry-After is waited for",
    script: { replies: [{ status: 429, retryAfter: "7" }, { text: "ok" }] },
    expected: { kind: "reply", text: "ok", attempts: 2 },
    sleeps: [7000],
  },
  {
    name: "429 that asks for an hour is not",
    script: { replies: [{ status: 429, retryAfter: "3600" }] },
    expected: { kind: "failed", failure: "rate-limited", attempts: 1, costUsd: 0 },
    sleeps: [],
  },
  {
    name: "an empty account is no reason to retry",
    script: { replies: [{ status: 429, code: "insufficient_quota" }] },
    expected: { kind: "failed", failure: "rate-limited", attempts: 1 },
    sleeps: [],
  },
  {
    name: "500 backs off, doubling",
    script: { replies: [{ status: 500, forEver: true }] },
    expected: { kind: "failed", failure: "server-error", attempts: 5, costUsd: 0 },
    sleeps: [375, 750, 1500, 3000],
  },
  {
    name: "a cut stream starts the call again and is billed",
    isOfChat: true,
    script: {
      replies: [
        { text: "x".repeat(60), cutAfter: 3 },
        { text: "ok", usage },
      ],
    },
    expected: {
      kind: "reply",
      text: "ok",
      attempts: 2,
      usage: { inputUncached: null, output: null },
      costUsd: 0.001174,
    },
    sleeps: [375],
  },
  {
    name: "a stream that is always cut gives up",
    script: { replies: [{ text: "x".repeat(60), cutAfter: 2, forEver: true }] },
    expected: { kind: "failed", failure: "cut-stream", attempts: 5 },
  },
  {
    name: "a server that stalls is left",
    script: { replies: [{ text: "x", hold: true, forEver: true }] },
    options: { settings: { ...settings, silenceMilliseconds: 40 } },
    expected: { kind: "failed", failure: "cut-stream", message: "the server stopped sending", attempts: 2 },
  },
  {
    name: "an error in a body of status 200 is told in the server's words",
    script: { replies: [{ status: 200, message: "the engine is overloaded", forEver: true }] },
    options: { retry: { attempts: 2 } },
    expected: { kind: "failed", failure: "server-error", message: "the engine is overloaded", attempts: 2 },
  },
  {
    name: "a conversation that is too long, told with status 200",
    script: { replies: [{ status: 200, message: "prompt is too long" }] },
    expected: { kind: "failed", failure: "context-too-long", attempts: 1 },
  },
  {
    name: "effort and temperature are left out where a server refuses them",
    isOfChat: true,
    script: { rejects: ["reasoning_effort", "temperature"], replies: [{ text: "well" }] },
    options: { settings: { ...settings, effort: "high", temperature: 0.5 } },
    expected: { kind: "reply", text: "well", attempts: 3 },
  },
  {
    name: "a context that is too long",
    script: {
      replies: [
        {
          status: 400,
          code: "context_length_exceeded",
          message: "This model's maximum context length is 8192 tokens",
        },
      ],
    },
    expected: { kind: "failed", failure: "context-too-long", attempts: 1 },
  },
  {
    name: "a bad request",
    script: { replies: [{ status: 400, message: "no such model" }] },
    expected: { kind: "failed", failure: "bad-request", attempts: 1, message: "400 no such model" },
  },
  {
    name: "a server without stream_options and max_completion_tokens",
    isOfChat: true,
    script: { rejects: ["stream_options", "max_completion_tokens"], replies: [{ text: "ok" }] },
    expected: { kind: "reply", text: "ok", attempts: 3, usage: { inputUncached: null, output: null } },
    sleeps: [],
  },
  {
    name: "a server that never streams",
    script: { neverStreams: true, replies: [{ text: "whole", calls: [call], usage }] },
    expected: { kind: "reply", text: "whole", finish: "tool-calls", usage: known },
  },
  {
    name: "an unknown price stays unknown",
    script: { replies: [{ text: "ok", usage }] },
    options: { price: null },
    expected: { kind: "reply", usage: known, costUsd: null },
  },
];

/** A failure is told with the address of the server, which differs from run to run. */
function withoutAddress(reply: ModelReply): ModelReply {
  return reply.kind === "failed" ? { ...reply, message: reply.message.replace(/^http:\S+: /, "") } : reply;
}

describe("a model over HTTP", () => {
  for (const { name, script, expected, sleeps, options, isOfChat } of cases)
    for (const api of ["chat", "responses"] as const)
      test.skipIf(isOfChat && api === "responses")(`${api}: ${name}`, async () => {
        const asked = { ...settings, ...options?.settings, api };
        const { reply, clock } = await play(script, { ...options, settings: asked });
        expect(withoutAddress(reply)).toMatchObject(expected);
        if (sleeps) expect(clock.sleeps).toEqual(sleeps);
      });

  test("a key that is refused is named nowhere, though the server echoes it", async () => {
    const { reply, retries } = await play({ key: "sk-other-99999999999", replies: [] });
    expect(reply).toMatchObject({
      kind: "failed",
      failure: "refused-credentials",
      attempts: 1,
      message: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\S*: 401 Incorrect API key provided: \[redacted\]$/,
      ) as unknown,
    });
    expect(JSON.stringify([reply, retries])).not.toContain(key);
  });

  test("no key sends no header", async () => {
    const { server } = await play({ replies: [{ text: "ok" }] }, { key: "" });
    expect(server.requests[0]?.authorization).toBeUndefined();
  });

  test("cancelling ends a slow stream", async () => {
    const controller = new AbortController();
    const server = await startOpenAiServer({ replies: [{ text: "slow", hold: true }] });
    servers.push(server);
    const provider = openAiProvider({
      endpoint: server.url,
      model: "m",
      key,
      price: null,
      settings,
      clock: new TestClock(),
      random: () => 0,
    });
    const reply = provider.complete(request, controller.signal);
    await server.received(1);
    controller.abort();
    expect(await reply).toMatchObject({ kind: "failed", failure: "cancelled", attempts: 1 });
  });

  test("nobody listens at the address, which is told without its secrets", async () => {
    const clock = new TestClock();
    const provider = openAiProvider({
      endpoint: "http://somebody:opensesame@127.0.0.1:9/v1?token=opensesame",
      model: "m",
      key,
      price: null,
      settings,
      clock,
      random: () => 0,
    });
    expect(await provider.complete(request, new AbortController().signal)).toMatchObject({
      kind: "failed",
      failure: "network",
      message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/v1: /) as unknown,
      attempts: 5,
      costUsd: null,
    });
  });

  test("the same conversation arrives in the protocol's words", async () => {
    const { server } = await play(
      { replies: [{ text: "ok" }] },
      {},
      {
        messages: [
          ...request.messages,
          {
            role: "assistant",
            text: "",
            toolCalls: [{ callId: "c1", name: "finish", rawArguments: "not json" }],
          },
          { role: "tool", callId: "c1", name: "finish", text: "bad" },
        ],
      },
    );
    expect(server.requests[0]?.body).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 100,
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c1", type: "function", function: { name: "finish", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c1", content: "bad" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "finish", description: "ends", parameters: { type: "object", properties: {} } },
        },
      ],
    });
  });
});
