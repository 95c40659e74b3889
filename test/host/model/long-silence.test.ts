import { afterEach, expect, test, vi } from "vitest";
import type { ModelReply } from "../../../server/core/ports/model";
import { openAiProvider } from "../../../server/host/model/openai-provider";
import type { ScriptedReply } from "../../harness/openai-script";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

const minutes = 60_000;
const limit = 30 * minutes;

let server: OpenAiServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
});

/** Lets what is on its way over the sockets arrive: their clock runs as ever. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
}

/** Asks a server over HTTP; the timers of the client stand until they are told to go on. */
async function asked(reply: ScriptedReply): Promise<{ readonly over: () => ModelReply | undefined }> {
  server = await startOpenAiServer({ replies: [reply] });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const provider = openAiProvider({
    endpoint: server.url,
    model: "m",
    key: "sk-test-0123456789abcdef",
    settings: {
      outputTokens: 8192,
      contextTokens: 128_000,
      requestsAtOnce: 1,
      silenceMilliseconds: limit,
      api: "chat",
    },
    price: { input: 1, cachedInput: 0.1, output: 10 },
    clock: new TestClock(),
    random: () => 0.5,
  });
  const request = { messages: [{ role: "user" as const, text: "u" }], tools: [], maxOutputTokens: 100 };
  let over: ModelReply | undefined;
  void provider.complete(request, new AbortController().signal).then((given) => {
    over = given;
  });
  while (server.requests.length === 0) await settle();
  await settle();
  return { over: () => over };
}

test("an endpoint that is silent for 29 minutes in the midst of its answer is waited for", async () => {
  const { over } = await asked({ text: "at last", untilReleased: true });
  await vi.advanceTimersByTimeAsync(29 * minutes);
  await settle();
  expect(over()).toBeUndefined();
  server?.release();
  while (over() === undefined) await settle();
  expect(over()).toMatchObject({ kind: "reply", text: "at last", attempts: 1 });
});

test("one that is silent for longer than half an hour is left, after one more try", async () => {
  const { over } = await asked({ text: "x", hold: true, forEver: true });
  await vi.advanceTimersByTimeAsync(limit + minutes);
  while (server?.requests.length === 1) await settle();
  await settle();
  expect(over()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(limit + minutes);
  while (over() === undefined) await settle();
  expect(over()).toMatchObject({ kind: "failed", failure: "cut-stream", attempts: 2 });
});
