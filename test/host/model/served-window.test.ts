import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { servedSettings } from "../../../server/host/model/finding/served-window";
import { openAiProvider } from "../../../server/host/model/openai-provider";
import { startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

const listOf = (fields: object): object => ({ data: [{ id: "other" }, { id: "qwen3-8b", ...fields }] });

const cases: readonly {
  readonly server: string;
  readonly answers: Readonly<Record<string, object>>;
  readonly said?: string;
  readonly output?: number;
  readonly context?: number;
}[] = [
  { server: "that tells nothing", answers: {}, output: 32_768, context: 128_000 },
  { server: "vLLM", answers: { "/v1/models": listOf({ max_model_len: 16_384 }) } },
  { server: "OpenRouter", answers: { "/v1/models": listOf({ context_length: 16_384 }) } },
  {
    server: "llama.cpp",
    answers: { "/v1/models": listOf({ meta: { n_ctx: 16_384, n_ctx_train: 40_960 } }) },
  },
  {
    server: "older llama.cpp",
    answers: {
      "/v1/models": listOf({ meta: { n_ctx_train: 40_960 } }),
      "/props": { default_generation_settings: { n_ctx: 16_384 } },
    },
  },
  {
    server: "Ollama",
    answers: {
      "/v1/models": listOf({}),
      "/api/ps": { models: [{ name: "qwen3-8b:latest", context_length: 16_384 }] },
    },
  },
  {
    server: "with a larger window than is worth paying for",
    answers: { "/v1/models": listOf({ max_model_len: 1_000_000 }) },
    output: 32_768,
    context: 128_000,
  },
  {
    server: "of which the user says more",
    answers: { "/v1/models": listOf({ max_model_len: 16_384 }) },
    said: "output=8000 context=12000",
    output: 8000,
    context: 12_000,
  },
];

test.each(cases)(
  "the window of a server: $server",
  async ({ answers, said, output = 4096, context = 16_384 }) => {
    const web = createServer((request, response) => {
      const answer = answers[request.url ?? ""];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? {}));
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(web.address() as AddressInfo).port}/v1`;
    const settings = await servedSettings({ endpoint, key: "", model: "qwen3-8b" }, said);
    web.close();
    expect(settings).toMatchObject({ outputTokens: output, contextTokens: context });
  },
);

test("an answer that does not fit is halved, for the questions that follow as well", async () => {
  const tooLong = { status: 400, message: "This model's maximum context length is 16384 tokens." };
  const server = await startOpenAiServer({
    replies: [tooLong, tooLong, { text: "ok" }, { text: "ok" }, { ...tooLong, forEver: true }],
  });
  const provider = openAiProvider({
    ...{ endpoint: server.url, model: "m", key: "", price: null, clock: new TestClock(), random: () => 0.5 },
    settings: await servedSettings({ endpoint: server.url, key: "", model: "m" }, "output=32768"),
  });
  const messages = [{ role: "user" as const, text: "u" }];
  const ask = () =>
    provider.complete({ messages, tools: [], maxOutputTokens: 32_768 }, new AbortController().signal);
  expect(await ask()).toMatchObject({ kind: "reply", attempts: 3 });
  expect(await ask()).toMatchObject({ kind: "reply", attempts: 1 });
  expect(await ask()).toMatchObject({
    ...{ kind: "failed", failure: "context-too-long" },
    message: expect.stringContaining("--model-options output=TOKENS") as unknown,
  });
  const asked = server.requests.map(({ body }) => body["max_completion_tokens"]);
  expect(asked).toEqual([32_768, 16_384, 8192, 8192, 8192, 4096, 2048]);
  await server.close();
});
