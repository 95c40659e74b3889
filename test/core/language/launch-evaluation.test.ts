import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ArgumentSpec } from "../../../server/core/workload/spec";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { evaluateBlock, evaluateLaunchSite } from "../../../server/core/language/launch-evaluation";
import { findLaunchSites, withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();

test.each([
  ["vector_add.cu", { n: 10007 }, { block: 80, x: "kItems" }],
  ["softmax.cu", { rows: 7, columns: 129 }, { block: 128, x: "rows" }],
  ["transpose.cu", { rows: 100, columns: 77 }, { block: 256, x: "columns" }],
  ["matmul.cu", { m: 70, n: 45, k: 53 }, { block: 256, x: "n" }],
] as const)("the launch of the sample %s", (file, sizes, expected) => {
  const spec = parseKernelSpec(readFileSync(`samples/${file}.kernel.json`, "utf8"));
  if (!spec.ok || spec.value.run.kind !== "launch") throw new Error("a launch was expected");
  const { arguments: given } = spec.value.run.launch;
  const shape = withSource(grammars, file, readFileSync(`samples/${file}`, "utf8"), (source) => {
    const [site] = findLaunchSites(source);
    if (site === undefined) throw new Error("a launch site was expected");
    expect(evaluateBlock(site).threadsPerBlock).toBe(expected.block);
    return evaluateLaunchSite({ site, arguments: given, sizes });
  });
  if (shape === undefined || !shape.ok) throw new Error(shape?.problem);
  const { block, grid, sharedBytes } = shape.value;
  expect(block.reduce((product, side) => product * side, 1)).toBe(expected.block);
  expect(grid.every((side) => side >= 1)).toBe(true);
  expect(sharedBytes).toBe(0);
});

const evaluate = (
  host: string,
  given: readonly ArgumentSpec[],
  sizes: Readonly<Record<string, number>>,
): unknown =>
  withSource(grammars, "a.cu", `__global__ void k(float* x, int count) {}\n${host}`, (source) => {
    const [site] = findLaunchSites(source);
    if (site === undefined) throw new Error("a launch site was expected");
    return evaluateLaunchSite({ site, arguments: given, sizes });
  });

test("names of the host function are tied to the spec by the arguments", () => {
  const host =
    "#define THREADS 64\nvoid go(float* x, int length) { const int bytes = THREADS * sizeof(float); dim3 grid; grid.x = (length + THREADS - 1) / THREADS; k<<<grid, THREADS, bytes>>>(x, length); }";
  expect(evaluate(host, ["x", { value: "2 * n", dtype: "int32" }], { n: 100 })).toEqual({
    ok: true,
    value: { grid: [4, 1, 1], block: [64, 1, 1], sharedBytes: 256 },
  });
});

test.each([
  [
    "void go(float* x, int length) { int blocks = length; blocks += 1; k<<<blocks, 32>>>(x, length); }",
    'the grid of the launch of k on line 2: "blocks": the name "blocks" is not known; known are none',
  ],
  [
    "#define A B\n#define B A\nvoid go(float* x, int length) { k<<<A, 32>>>(x, length); }",
    'the grid of the launch of k on line 4: "A": the name "A" is not known; known are none',
  ],
])("what cannot be read is a sentence: %s", (host, problem) => {
  expect(evaluate(host, ["x", { value: "n", dtype: "int32" }], { n: 100 })).toEqual({ ok: false, problem });
});
