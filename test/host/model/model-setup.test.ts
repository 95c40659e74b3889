import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composeModel } from "../../../server/host/compose-model";
import { servedModels } from "../../../server/host/model/finding/served-models";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";

const key = "sk-setup-0123456789abcdef";
const { signal } = new AbortController();
const web = createServer((request, response) => {
  if (request.url === "/gone/models") response.statusCode = 404;
  response.end("<html>");
});
let models: OpenAiServer;
let webUrl: string;

beforeAll(async () => {
  const replies = [{ text: "ready" }, { text: "ready" }];
  models = await startOpenAiServer({ key, models: ["gpt-5", "own-model"], replies });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});

afterAll(async () => {
  web.close();
  await models.close();
});

const lists: readonly [what: string, endpoint: () => string, key: string, said: string][] = [
  ["its models, in its order", () => models.url, key, "gpt-5, own-model"],
  ["its models behind a slash too many", () => `${models.url}/`, key, "gpt-5, own-model"],
  ["that it wants a key", () => models.url, "", "refused-credentials: URL/models wants a key (status 401)"],
  [
    "that the key is wrong, without it",
    () => models.url,
    "sk-other-0123456789",
    "refused-credentials: URL/models refused the key (status 401)",
  ],
  [
    "that there is no list",
    () => `${webUrl}/gone`,
    "",
    "no-list: URL/models has no list of models (status 404)",
  ],
  [
    "that it is no server of models",
    () => webUrl,
    "",
    "no-list: URL/models answered with something that is no list of models",
  ],
  [
    "that nobody answers",
    () => "http://127.0.0.1:9/v1",
    "",
    "unreachable: URL/models could not be reached: bad port",
  ],
];

test.each(lists)("an endpoint tells %s", async (_, endpointOf, given, said) => {
  const endpoint = endpointOf();
  const found = await servedModels({ endpoint, key: given, timeLimitMilliseconds: 60_000 }, signal);
  const told = found.ok ? found.value.join(", ") : `${found.problem.kind}: ${found.problem.message}`;
  expect(told.replace(endpoint.replace(/\/$/, ""), "URL")).toBe(said);
});

test("a key goes to the endpoint that it was stored for, and the model answers a word", async () => {
  const asked: string[] = [];
  const composed = composeModel(
    {
      environment: {},
      modelKey: (endpoint) => {
        asked.push(endpoint === models.url ? "it" : endpoint);
        return Promise.resolve(endpoint === models.url ? key : undefined);
      },
    },
    () => {},
  );
  const served = await composed.served(models.url, signal);
  expect(served).toEqual({
    ok: true,
    value: [
      // Nothing on this machine has a price.
      { model: "gpt-5", price: expect.objectContaining({ input: 0, output: 0 }) as unknown },
      { model: "own-model", price: expect.objectContaining({ input: 0, output: 0 }) as unknown },
    ],
  });
  const named = { model: "own-model", endpoint: models.url, modelOptions: "", modelPrice: "1,2" };
  const tried = await composed.tryNamed(named, signal);
  expect(tried).toEqual({
    kind: "answered",
    milliseconds: expect.any(Number) as unknown,
    outputTokens: 10,
    costUsd: 0.00012,
  });
  expect(asked).toEqual(["it", "it"]);
});

const asking: readonly {
  readonly what: string;
  readonly declared?: string;
  /** What the user says when asked; nobody is there when left out. */
  readonly said?: string;
  readonly cost: number | string;
}[] = [
  { what: "is refused where nobody can be asked", cost: "the price of the model mystery is not known" },
  { what: "is asked for", said: " 2,10 ", cost: 12 },
  { what: "is refused where the user says none", said: "", cost: "KERNELWRIGHT_MODEL_PRICE" },
  { what: "has to be one", said: "cheap", cost: "write INPUT,OUTPUT" },
  { what: "is not asked for where it was declared", declared: "1,2", said: "9,9", cost: 3 },
];

test.each(asking)("a price that is not known $what", async ({ declared = "", said, cost }) => {
  const composed = composeModel(
    {
      environment: { OPENAI_API_KEY: "k", KERNELWRIGHT_MODEL_KEY: "k", KERNELWRIGHT_MODEL_PRICE: declared },
      ...{ model: "mystery", endpoint: "https://models.example.com/v1" },
      ...(said === undefined ? {} : { askPrice: () => Promise.resolve(said) }),
    },
    () => {},
  );
  const million = { messages: [], tools: [], maxOutputTokens: 1e6 };
  const told = composed.open().then(
    ({ provider }) =>
      provider.estimateUsd({ ...million, messages: [{ role: "user", text: "x".repeat(3e6) }] }),
    (thrown: unknown) => String(thrown),
  );
  expect(await told).toEqual(
    typeof cost === "number" ? expect.closeTo(cost, 3) : expect.stringContaining(cost),
  );
});
