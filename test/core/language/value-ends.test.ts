import { expect, test } from "vitest";
import { valueEnds } from "../../../server/core/language/cuda/launch/value-ends";

test.each([
  ["int v = x[i]; y[i] = lo <= v && v <= hi ? 1 : 0;", { lo: -25, hi: 25 }],
  ["if (x[i] < lo || x[i] >= hi) return;", { lo: -25, hi: 25 }],
  ["if (x[row * n + i] > hi) return; if (x[row * n + i] < lo) return;", { lo: -25, hi: 25 }],
  ["for (int j = lo; j < hi; ++j) y[i] += x[j];", {}],
  ["if (i >= lo && i < hi) y[i] = x[i];", {}],
  ["if (x[i] > hi) y[i] = lo;", {}],
  ["// lo <= x[i] && x[i] <= hi\ny[i] = x[i];", {}],
])("ends of ranges of values in %s", (body, ends) => {
  expect(Object.fromEntries(valueEnds(body, ["x", "y"], ["lo", "hi", "n"]))).toEqual(ends);
});
