import { expect, test } from "vitest";
import { countsInMemory } from "../../../server/core/language/cuda/launch/counts-in-memory";

test.each([
  ["if (i >= *n) return;", true],
  ["if (*n <= i) return;", true],
  ["if (i < (int)*n) x[i] = 0;", true],
  ["for (int k = 0; k < n[0]; ++k) x[k] = 0;", true],
  ["const int total = n[1]; if (total <= i) return;", true],
  ["int total; total = min(*n, most); while (i < total) i += step;", true],
  ["if (i + 1 < __ldg(n)) x[i] = 0;", true],
  ["__shared__ unsigned m; if (t == 0) m = (unsigned)(*n); __syncthreads(); if (i < m) x[i] = 0;", true],
  ["if (x[i] >= *n) return;", false],
  ["if (i >= y * n[0]) return;", false],
  ["x[i] = x[*n];", false],
  ["if (i < n[i]) x[i] = 0;", false],
  ["if (i < 2 * n[row]) x[i] = 0;", false],
  ["if (*n < 4) return; x[i] = 0;", false],
  ["int place = x[*n]; if (i < place) x[i] = 0;", false],
  ["if (i < *n) *n = i;", false],
  ["if (i < *n) atomicAdd(n, 1);", false],
  ["if (i < n[0]) n[1] += 2;", false],
  ["// if (i < *n)\nx[i] = 1;", false],
  ["x[i] = y << *n;", false],
])("%s: n points to a count: %s", (body, isCount) => {
  expect(countsInMemory(body, ["n", "x"]).has("n")).toBe(isCount);
});
