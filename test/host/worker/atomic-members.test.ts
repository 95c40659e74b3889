import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Atomics of members that share a sector have as many addresses as those of arrays. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "totals.cu",
  kernel: "totals",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["ceil_div(n, 256)", 1, 1],
      block: [256, 1, 1],
      sharedBytes: 0,
      arguments: ["key", "out", { value: "n", dtype: "int32" }],
    },
  },
  inputs: { key: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: 0, high: 255 } } },
  outputs: { out: { dtype: "uint64", shape: [1024] } },
  shapes: [{ sizes: { n: 200_000 } }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

/** Each of 256 keys has four sums, `step` apart. */
const kernel = (each: number, step: number): string => `
__global__ void totals(const int* key, unsigned long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long* sums = out + key[i] * ${each};
  atomicAdd(sums, 1ULL);
  atomicAdd(sums + ${step}, (unsigned long long)i);
  atomicAdd(sums + ${2 * step}, 3ULL);
  atomicAdd(sums + ${3 * step}, (unsigned long long)(i / 2));
}
`;

test("additions to members of one sector are simulated as those to arrays", async () => {
  const timeOf = async (text: string): Promise<number> => {
    const { checked } = await evaluate(under.evaluator, { spec, baseline: { "totals.cu": text } });
    if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
    return checked.simulatedNanoseconds ?? Number.NaN;
  };
  const [members, arrays] = [await timeOf(kernel(4, 1)), await timeOf(kernel(1, 256))];
  // As if all but the first went to one address, they would take nearly four times as long.
  expect(members / arrays).toBeLessThan(2);
  expect(members / arrays).toBeGreaterThan(0.1);
});
