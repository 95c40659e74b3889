import { expect, test } from "vitest";
import { estimateUsd, priceOf } from "../../../server/host/model/pricing";
import prices from "../../../server/host/model/prices.json";
import { redact } from "../../../server/host/model/redact";
import { retryAfter } from "../../../server/host/model/retry";

const far = "https://api.example.com/v1";

const cases: readonly {
  readonly endpoint?: string;
  readonly model: string;
  readonly declared?: string;
  readonly input: number | null;
}[] = [
  { model: "gpt-5.4", input: 2.5 },
  { model: "openai/gpt-5.4-2026-03-05", input: 2.5 },
  { model: "anthropic/claude-sonnet-4-5-20250929", input: 3 },
  { model: "gpt-5.4-mini", input: 0.75 },
  { model: "gpt-5.4-something-new", input: null },
  { model: "gpt-5.4", declared: "1,2", input: 1 },
  { model: "mystery", declared: "free", input: 0 },
  { model: "gpt-5.4", endpoint: "http://localhost:11434/v1", input: 0 },
  { model: "gpt-5.4", endpoint: "http://127.0.0.1:8080/v1", input: 0 },
  { model: "mystery", endpoint: "http://127.0.0.1.example.com/v1", input: null },
];

for (const { endpoint = far, model, declared, input } of cases) {
  test(`price of ${model} at ${endpoint}${declared === undefined ? "" : ` declared as ${declared}`}`, () => {
    expect(priceOf({ endpoint, model, declared })?.input ?? null).toBe(input);
  });
}

test("a declared price that cannot be read names what was expected", () => {
  for (const declared of ["cheap", "1", "1,2,3", "-1,2", "1,", "NaN,2"])
    expect(() => priceOf({ endpoint: far, model: "m", declared })).toThrow("write INPUT,OUTPUT");
});

test("the table holds numbers, a date and a source", () => {
  expect(prices.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(prices.source).not.toBe("");
  for (const { model, input, cachedInput, output } of prices.models)
    expect([model, 0 < cachedInput && cachedInput <= input && input <= output]).toEqual([model, true]);
  expect(new Set(prices.models.map(({ model }) => model)).size).toBe(prices.models.length);
});

test("an estimate covers the whole output and is unknown without a price", () => {
  const request = {
    messages: [{ role: "user" as const, text: "x".repeat(300) }],
    tools: [],
    maxOutputTokens: 1000,
  };
  expect(estimateUsd({ input: 1, cachedInput: 1, output: 10 }, request)).toBeCloseTo((113 + 10_000) / 1e6, 9);
  expect(estimateUsd(null, request)).toBeNull();
});

test("what a server asks for in its headers", () => {
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const asked = (headers: Record<string, string>): number | undefined =>
    retryAfter(new Headers(headers), clock);
  expect([
    asked({ "retry-after": "2" }),
    asked({ "retry-after-ms": "250", "retry-after": "9" }),
    asked({ "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }),
    asked({ "retry-after": "soon" }),
    asked({}),
  ]).toEqual([2000, 250, 3000, undefined, undefined]);
});

test("credentials are taken out of any text", () => {
  expect(
    redact("key abcd1234, sk-ABCDEFGHIJKL, Bearer abcdefghijkl, https://me:secret@host/v1", ["abcd1234"]),
  ).toBe("key [redacted], [redacted], [redacted], https://[redacted]@host/v1");
});
