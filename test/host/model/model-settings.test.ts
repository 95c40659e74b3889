import { expect, test } from "vitest";
import { modelSettings } from "../../../server/host/model/model-settings";

interface SettingsCase {
  readonly model: string;
  readonly said?: string;
  readonly endpoint?: string;
  readonly expected: object | string;
}

const remote = "https://models.example/v1";
const cases: readonly SettingsCase[] = [
  { model: "gpt-5.4", expected: { outputTokens: 65_536, silenceMilliseconds: 1_800_000 } },
  { model: "vendor/Qwen3-32B", expected: { outputTokens: 32_768, contextTokens: 128_000 } },
  { model: "something", expected: { outputTokens: 16_384, silenceMilliseconds: 600_000, requestsAtOnce: 4 } },
  {
    model: "something",
    endpoint: "http://localhost:8080/v1",
    expected: { outputTokens: 8192, requestsAtOnce: 1 },
  },
  { model: "something", said: "parallel=2", expected: { requestsAtOnce: 2 } },
  {
    model: "something",
    said: " effort=high temperature=0.6 output=100 context=2000 silence=5 ",
    expected: {
      outputTokens: 100,
      contextTokens: 2000,
      silenceMilliseconds: 300_000,
      effort: "high",
      temperature: 0.6,
    },
  },
  { model: "m", endpoint: "https://api.openai.com/v1", expected: { api: "responses" } },
  { model: "m", endpoint: "https://api.openai.com/v1", said: "api=chat", expected: { api: "chat" } },
  { model: "anthropic/claude-opus-5", expected: { api: "chat", caching: "marks" } },
  ...["effort", "api=soap", "speed=3", "output=many", "silence=9999", "temperature=", "parallel=0"].map(
    (said) => ({
      model: "m",
      said,
      expected: `the model option "${said}" cannot be read`,
    }),
  ),
];

test.each(cases)("$model $said", ({ model, said, endpoint = remote, expected }) => {
  if (typeof expected === "string") expect(() => modelSettings(model, endpoint, said)).toThrow(expected);
  else expect(modelSettings(model, endpoint, said)).toMatchObject(expected);
});
