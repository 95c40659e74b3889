import { expect, test } from "vitest";
import { countedShapes } from "../../../server/core/workload/cases/beyond-shapes";
import type { KernelSpec, TensorSpec } from "../../../server/core/workload/spec";

const shapes: KernelSpec["shapes"] = [{ sizes: { n: 8192, rows: 64 } }, { sizes: { n: 777, rows: 9 } }];
const whole: TensorSpec = { dtype: "int32", shape: ["n"] };

test.each<[string, TensorSpec, TensorSpec, number | undefined]>([
  ["counts of whole numbers", whole, { dtype: "int32", shape: [256] }, 2 ** 20 + 2 ** 17 + 77],
  ["counts of floats", { ...whole, dtype: "float32" }, { dtype: "int32", shape: [256] }, undefined],
  ["results that are no whole numbers", whole, { dtype: "float32", shape: [256] }, undefined],
  [
    "rows of a picture",
    { dtype: "uint8", shape: ["n", "rows"] },
    whole,
    Math.ceil((2 ** 20 + 2 ** 17 + 77) / 5),
  ],
  [
    "places for counts",
    { ...whole, distribution: { kind: "constant", value: 0 } },
    { dtype: "int32", shape: [256] },
    undefined,
  ],
  ["many rows, none of them long", { dtype: "int32", shape: ["rows", "n"] }, whole, 5],
])("so many numbers that counters are full: %s", (_, x, y, n) => {
  const launch = { arguments: ["x", "y"] };
  const run = { kind: "launch", launch } as unknown as KernelSpec["run"];
  const found = countedShapes({ inputs: { x }, outputs: { y }, shapes, run }).flat();
  expect(found.map(({ sizes }) => sizes["n"])).toEqual(n === undefined ? [] : [n]);
});
