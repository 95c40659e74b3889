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
