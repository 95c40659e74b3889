import { expect, test } from "vitest";
import { statedValues } from "../../../server/core/workload/comments/stated-values";

const names = ["lag", "gain", "code", "x"];

test.each([
  ["// lags in [1, SLOTS-1]\n#define SLOTS 48", { lag: { low: 1, high: 47 } }],
  ["void f(const float* gain, // [0, 4]\n  int n);", { gain: { low: 0, high: 4 } }],
  ["/* code: 0..15 */", { code: { low: 0, high: 15 } }],
  ["// code values are 0..15, x is anything", { code: { low: 0, high: 15 } }],
  ["# lag must be in [2, 10)", { lag: { low: 2, high: 9 } }],
  ["if (i < n) { assert(x[i] >= 0 && x[i] <= 8); }", { x: { low: 0, high: 8 } }],
  [
    "typedef unsigned char level; // 0..23\nvoid f(const level *code, int n);",
    { code: { low: 0, high: 23 } },
  ],
  [
    "// of a base, 0 to 3\nusing base = uint8_t;\nvoid f(base const* __restrict__ x);",
    { x: { low: 0, high: 3 } },
  ],
  ["using real = float; // or double\nvoid f(const real *x);", {}],
  ["// out[i] = x[i] over [0, n)", {}],
  ["int lag = 3; // block (1, 2)", {}],
  ["// lag in [9, 2]", {}],
])("values that %s says", (text, values) => {
  expect(Object.fromEntries(statedValues(text, names))).toEqual(values);
});

test("an end that is not included lies a little inside", () => {
  const { low, high } = statedValues("// gain in [0, 1)", names).get("gain") ?? { low: 9, high: 9 };
  expect(low).toBe(0);
  expect(high).toBeLessThan(1);
  expect(high).toBeGreaterThan(0.9);
});
