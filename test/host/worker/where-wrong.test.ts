import { expect, test } from "vitest";
import { describeFailure } from "../../../server/core/words/describe";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "columns.cu",
  kernel: "sums",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "columns.cu::column_sums",
      arguments: ["x", "y", { value: "rows", dtype: "int32" }, { value: "columns", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "int32", shape: ["rows", "columns"] } },
  outputs: { y: { dtype: "int32", shape: ["columns"] } },
  shapes: [{ sizes: { rows: 45, columns: 40 } }],
  reference: { kind: "expression", expressions: { y: "x.sum(axis=0)" } },
  objective: "modelled-bound",
};

/** A warp for a column, behind host code that may do more with what it writes. */
const columnSums = (behind: string, last = "(rows & ~31)"): string => `
__global__ void sums(const int* x, int* y, int rows, int columns) {
  int sum = 0;
  for (int row = threadIdx.x; row < ${last}; row += 32) sum += x[row * columns + blockIdx.x];
  for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
void column_sums(const int* x, int* y, int rows, int columns) {
  ${behind}
}
`;
const launch = (to: string): string => `sums<<<columns, 32>>>(x, ${to}, rows, columns);`;

const turned: Partial<KernelSpec> = {
  run: {
    kind: "launch",
    launch: {
      grid: [9],
      block: [256],
      arguments: ["x", "y", { value: "rows", dtype: "int32" }, { value: "columns", dtype: "int32" }],
    },
  },
  outputs: { y: { dtype: "int32", shape: ["rows", "columns"] } },
  shapes: [{ sizes: { rows: 300, columns: 230 } }],
  reference: { kind: "expression", expressions: { y: "x + 3" } },
};

const cases: readonly {
  readonly what: string;
  readonly source: string;
  readonly changes?: Partial<KernelSpec>;
  readonly told: string;
}[] = [
  {
    what: "the tail of a sum is left out behind an entry",
    source: columnSums(launch("y")),
    told: "shape rows=45 columns=40: y[…]: expected …, got … (… of 40 wrong, greatest error …); wrong are …; with rows=64 all are right; likely the mask of a tail; the first was written by thread (…, 0, 0) of block (…, 0, 0) on columns.cu:6; the smallest shape …",
  },
  {
    what: "what a copy has brought there since was written by no thread",
    source: columnSums(
      `int* own; cudaMalloc(&own, columns * 4); ${launch("y")} ${launch("own")}
  cudaMemcpy(y, own, columns * 4, cudaMemcpyDeviceToDevice); cudaFree(own);`,
    ),
    told: "shape rows=45 columns=40: y[…]: expected …, got … (… of 40 wrong, greatest error …); wrong are …; with rows=64 all are right; likely the mask of a tail; the smallest shape …",
  },
  {
    what: "no thread stores what a fill has left",
    source: columnSums(
      `cudaMemset(y, 0, columns * 4); ${launch("y").replace("<<<columns", "<<<columns - 1")}`,
      "rows",
    ),
    told: "shape rows=45 columns=40: y[…]: expected …, got … (1 of 40 wrong, greatest error …); wrong are the last element alone; likely the mask of a tail; no thread stored to the first; the smallest shape …",
  },
  {
    what: "an index of sixteen bits begins anew, and its threads race for what lies there",
    source: `__global__ void sums(const int* x, int* y, int rows, int columns) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < rows * columns; i += 256 * gridDim.x)
    y[(unsigned short)i] = x[i] + 3;
}
`,
    changes: turned,
    told: "shape rows=300 columns=230: y[…]: expected …, got … (… of 69000 wrong, greatest error …); wrong are all elements from 65536 on and … of the first 3464; likely an index that overflows; the first was written by thread (…, 0, 0) of block (…, 0, 0) on columns.cu:3; columns.cu:3: race …",
  },
  {
    what: "where a row begins is kept in sixteen bits, and rows further down are read from the first ones",
    source: `__global__ void sums(const int* x, int* y, int rows, int columns) {
  int sum = 0;
  unsigned short start = 0;
  for (int row = 0; row < rows; ++row, start += columns) sum += x[start + threadIdx.x];
  y[threadIdx.x] = sum;
}
void column_sums(const int* x, int* y, int rows, int columns) { sums<<<1, columns>>>(x, y, rows, columns); }
`,
    changes: { shapes: [{ sizes: { rows: 900, columns: 100 } }] },
    told: "shape rows=900 columns=100: y[…]: expected …, got … (… of 100 wrong, greatest error …); wrong are …; with rows=655 all are right; likely an index that overflows; the first was written by thread (…, 0, 0) of block (…, 0, 0) on columns.cu:5; the smallest shape …",
  },
];

/** A failure in words without what the inputs decide. */
function withoutValues(failure: string): string {
  return failure
    .replace(
      /y\[[\d, ]+\]: expected -?\d+, got -?\d+ \((1 of)?(\d+ of)?/,
      (_, one?: string) => `y[…]: expected …, got … (${one ?? "… of"}`,
    )
    .replace(/greatest error \d+/, "greatest error …")
    .replace(/wrong are all elements;|wrong are \d+ (elements|of all)[^;]*;/, "wrong are …;")
    .replace(/and \d+ of the first/, "and … of the first")
    .replace(/thread \(\d+, 0, 0\) of block \(\d+,/, "thread (…, 0, 0) of block (…,")
    .replace(/(the smallest shape|columns\.cu:\d+: race) .*/, "$1 …");
}

for (const { what, source, changes, told } of cases)
  test(what, async () => {
    const { checked } = await evaluate(under.evaluator, {
      spec: { ...spec, ...changes },
      baseline: { "columns.cu": source },
    });
    const failed = checked.kind === "checked" ? checked.cases.find(({ passed }) => !passed) : undefined;
    expect(failed ? withoutValues(describeFailure(failed) ?? "") : checked).toBe(told);
  });

test("nothing is searched for where the verdict is all that is asked", async () => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "columns.cu": columnSums(launch("y")) },
    verdictAlone: true,
  });
  const failed = checked.kind === "checked" ? checked.cases.find(({ passed }) => !passed) : undefined;
  expect(failed?.mismatch).toBeDefined();
  expect(failed?.smallest ?? failed?.mismatch?.rightWith).toBeUndefined();
});
