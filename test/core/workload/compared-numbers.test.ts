import { expect, test } from "vitest";
import { comparedRanges } from "../../../server/core/workload/quantities/compared-numbers";

const kernel = (body: string): string =>
  `__device__ float other(float x) { return x > 900.f; }\n__global__ void f(const float* x, const int* k, float* y) {\n${body}\n}\n__global__ void g(const float* x) { if (x[0] > 5000.f) return; }`;

const names = new Map([
  ["x", "float"],
  ["k", "whole"],
] as const);

test.each<[string, string, Record<string, unknown>]>([
  [
    "several numbers, through a local variable",
    "float hr = x[i]; if (hr <= 40.f || hr >= 131.f) s += 3; else if (hr >= 91.f) s += 1;",
    { x: { low: 17.25, high: 153.75 } },
  ],
  [
    "numbers before the element",
    "if (900 < k[i] || 1000 >= k[i + 1]) return;",
    { k: { low: 875, high: 1025 } },
  ],
  [
    "a single number lies among usual ones",
    "y[i] = x[i] > 20.f ? x[i] : log1pf(expf(x[i]));",
    { x: { low: -3, high: 30 } },
  ],
  ["what a logarithm is taken of", "y[i] = x[i] > 20.f ? 0.f : logf(x[i]);", { x: { low: 0, high: 30 } }],
  ["numbers below zero", "if (x[i] < -50.0 || x[i] > 50.0) return;", { x: { low: -75, high: 75 } }],
  ["numbers that usual values meet", "if (x[i] > 0.5f && x[i] < 2.f && k[i] > 3) return;", {}],
  ["no value at all", "if (x[i] > -1e30f) y[i] = 1;", {}],
  ["a member, an index and a size", "if (p.x > 100.f || i < 4096 || x[100] > y[200]) return;", {}],
  ["what a comment says", "// x[i] > 300 is an error\ny[i] = x[i];", {}],
])("%s", (_, body, ranges) => {
  expect(Object.fromEntries(comparedRanges(kernel(body), "f", names))).toEqual(ranges);
});

test("what Triton loads", () => {
  const text =
    "@triton.jit\ndef f(x_ptr, y_ptr, n):\n    t = tl.load(x_ptr + offs, mask=offs < n)\n    y = tl.where(t >= 38.0, 1.0, tl.where(t <= 36.0, 2.0, 0.0))\n";
  expect([...comparedRanges(text, "f", new Map([["x_ptr", "float"]]))]).toEqual([
    ["x_ptr", { low: 35.5, high: 38.5 }],
  ]);
});
