import { expect, test } from "vitest";
import { overloadsTaking, passedTypes } from "../../../server/core/workload/build/overload";
import type { ArgumentSpec, DataType } from "../../../server/core/workload/spec";

const overloads = [
  ["const float*", "float*", "float", "int"],
  ["const double*", "double*", "int"],
  ["const float*", "float*", "int"],
  ["float2", "float*", "int"],
  undefined,
];

interface Case {
  readonly title: string;
  readonly dtype: DataType;
  readonly passed: readonly ArgumentSpec[];
  readonly of?: readonly (readonly string[] | undefined)[];
  readonly taken: readonly number[];
}

const count: ArgumentSpec = { value: "n", dtype: "int32" };
const factor: ArgumentSpec = { value: 2, dtype: "float32" };
const pair: ArgumentSpec = { bytes: "0000000000000000" };
const read = overloads.slice(0, 4);

test.each<Case>([
  { title: "by its types", dtype: "float64", passed: ["in", "out", count], of: read, taken: [1] },
  { title: "by the other's types", dtype: "float32", passed: ["in", "out", count], of: read, taken: [2] },
  {
    title: "by the number of its parameters",
    dtype: "float64",
    passed: ["in", { buffer: "out", offset: "n" }, factor, count],
    of: read,
    taken: [0],
  },
  { title: "by its structure", dtype: "float32", passed: [pair, "out", count], of: read, taken: [3] },
  {
    title: "with the nearest types",
    dtype: "float16",
    passed: ["in", "out", count],
    of: read,
    taken: [1, 2],
  },
  { title: "also one that cannot be read", dtype: "float32", passed: ["in", "out", count], taken: [2, 4] },
  { title: "all where none takes them", dtype: "float32", passed: [count], of: read, taken: [0, 1, 2, 3] },
])("of overloads is taken $title", ({ dtype, passed, of = overloads, taken }) => {
  const tensor = { dtype, shape: ["n"] };
  const spec = { inputs: { in: { ...tensor, distribution: "uniform" as const } }, outputs: { out: tensor } };
  expect(overloadsTaking(of, passedTypes(spec, passed))).toEqual(taken);
});
