import { afterEach, describe, expect, test } from "vitest";
import type { ModelReply } from "../../../server/core/ports/model";
import { modelSettings } from "../../../server/host/model/model-settings";
import { openAiProvider } from "../../../server/host/model/openai-provider";
import type { ScriptedReply } from "../../harness/openai-script";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";
import { TestClock } from "../../harness/test-clock";

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

/** The failure that an answer means; its message without the address of the server. */
async function failureOf(reply: ScriptedReply, api: "chat" | "responses"): Promise<string> {
  server = await startOpenAiServer({ replies: [{ ...reply, forEver: true }] });
  const provider = openAiProvider({
    ...{ endpoint: server.url, model: "m", key: "", price: null, clock: new TestClock(), random: () => 0.5 },
    settings: modelSettings("m", server.url, `api=${api}`),
    retry: { attempts: 1 },
  });
  const asked = { messages: [{ role: "user" as const, text: "u" }], tools: [], maxOutputTokens: 100 };
  const told: ModelReply = await provider.complete(asked, new AbortController().signal);
  return told.kind === "reply" ? "an answer" : `${told.failure}: ${told.message.replace(/^http:\S+: /, "")}`;
}

const bodies: readonly [what: string, status: number, body: unknown, told: string][] = [
  [
    "an object of its own",
    400,
    { object: "error", message: "no such model", type: "BadRequestError", param: null, code: 400 },
    "bad-request: 400 no such model",
  ],
  ["a detail", 404, { detail: "Not Found" }, "bad-request: 404 Not Found"],
  [
    "details of fields",
    422,
    { detail: [{ loc: ["body", "messages"], msg: "Field required" }] },
    'bad-request: 422 [{"loc":["body","messages"],"msg":"Field required"}]',
  ],
  [
    "a list",
    400,
    [{ error: { code: 400, message: "API key not valid", status: "INVALID_ARGUMENT" } }],
    "bad-request: 400 API key not valid",
  ],
  ["a text", 404, { error: 'model "m" not found' }, 'bad-request: 404 model "m" not found'],
  ["a message alone", 503, { message: "loading" }, "server-error: 503 loading"],
  ["nothing", 400, {}, "bad-request: 400 status code (no body)"],
  [
    "an object of its own, told with status 200",
    200,
    { object: "error", message: "no such model", type: "NotFoundError", param: null, code: 404 },
    "bad-request: no such model",
  ],
];

describe.each(["chat", "responses"] as const)("%s: a server tells its fault as", (api) => {
  test.each(bodies)("%s", async (_, status, body, told) => {
    expect(await failureOf({ status, body }, api)).toBe(told);
  });
});

const long: readonly [server: string, status: number, fault: object][] = [
  [
    "llama.cpp",
    400,
    {
      ...{ code: 400, type: "exceed_context_size_error", n_prompt_tokens: 14429, n_ctx: 8192 },
      message:
        "the request exceeds the available context size. try increasing the context size or enable context shift",
    },
  ],
  ["llama.cpp", 500, { code: 500, message: "the request exceeds the available context size" }],
  ["llama.cpp", 400, { code: 400, type: "exceed_context_size_error", message: "request (900 tokens)" }],
  ["LM Studio", 400, { message: "Context size has been exceeded." }],
  [
    "LM Studio",
    400,
    {
      message:
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
  ],
  [
    "Gemini",
    400,
    {
      ...{ code: 400, status: "INVALID_ARGUMENT" },
      message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    },
  ],
  [
    "xAI",
    400,
    { message: "This model's maximum prompt length is 131072 but the request contains 136973 tokens." },
  ],
  [
    "vLLM",
    400,
    {
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    },
  ],
  [
    "vLLM",
    400,
    { message: "The decoder prompt (length 10127) is longer than the maximum model length of 8192." },
  ],
  [
    "vLLM",
    500,
    { message: "The prompt (total length 25938) is too long to fit into the model (context length 4096)." },
  ],
  ["vLLM", 400, { message: "Input prompt (2664 tokens) is too long and exceeds limit of 2048" }],
  [
    "vLLM",
    400,
    {
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context length is 16384 tokens and your request has 900 input tokens (32768 > 16384 - 900).",
    },
  ],
  [
    "SGLang",
    400,
    { message: "The input (61709 tokens) is longer than the model's context length (40960 tokens)." },
  ],
  [
    "SGLang",
    500,
    { message: "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)." },
  ],
  ["Ollama", 400, { message: "the input length exceeds the context length" }],
  ["Kimi", 400, { message: "Invalid request: Your request exceeded model token limit: 262144" }],
  [
    "Anthropic",
    400,
    { message: "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000" },
  ],
  ["Anthropic", 400, { message: "prompt is too long: 205106 tokens > 200000 maximum" }],
  [
    "TGI",
    422,
    {
      message:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 and 999",
    },
  ],
  ["OpenAI", 400, { code: "context_length_exceeded", message: "Your input is too big" }],
];

test.each(long)("%s says with status %d that the conversation is too long: %o", async (_, status, fault) => {
  expect(await failureOf({ status, body: { error: fault } }, "chat")).toMatch(/^context-too-long: /);
});

const otherwise: readonly [status: number, message: string, failure: string][] = [
  [400, "Invalid value for context: expected an object", "bad-request"],
  [500, "context deadline exceeded", "server-error"],
  [429, "Rate limit reached: tokens per minute. Please reduce the length of the messages", "rate-limited"],
];

test.each(otherwise)("a fault of %d is none of length: %s", async (status, message, failure) => {
  expect((await failureOf({ status, body: { error: { message } } }, "chat")).split(":")[0]).toBe(failure);
});
