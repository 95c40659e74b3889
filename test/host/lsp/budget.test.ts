import { expect, test } from "vitest";
import { requireLimits } from "../../../server/host/lsp/handlers/sessions/budget";

const words = "numbers from zero on, please";

test.each([
  [{ usd: 0, minutes: 0, candidates: 0 }, "taken"],
  [{ usd: 0.5, minutes: 10, candidates: 20 }, "taken"],
  [{ usd: 1, minutes: 10, candidates: 20, tokens: 5000, gpuMinutes: 2 }, "taken"],
  [{ usd: 1, minutes: 10, candidates: 20, tokens: -1 }, words],
  [{ usd: 1, minutes: 10, candidates: 20, gpuMinutes: Number.NaN }, words],
  [{ usd: -1, minutes: 10, candidates: 20 }, words],
  [{ usd: 1, minutes: Number.NaN, candidates: 20 }, words],
  [{ usd: 1, minutes: 10, candidates: Number.POSITIVE_INFINITY }, words],
])("a budget of %o is %s", (limits, expected) => {
  const asked = (): string => {
    expect(requireLimits(limits, words)).toEqual(limits);
    return "taken";
  };
  if (expected === words) expect(asked).toThrow(words);
  else expect(asked()).toBe("taken");
});
