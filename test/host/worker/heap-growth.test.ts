import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** Memory of the heap of malloc in kernels that stays taken from call to call. */

const under = evaluatorOfFile();

const n = { value: "n", dtype: "int32" } as const;
const launched: KernelSpec = {
  file: "twice.cu",
  kernel: "twice",
  dialect: "cuda",
  run: { kind: "launch", launch: { arguments: ["x", "y", n] } },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 100 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};
const called: KernelSpec = {
  ...launched,
  run: { kind: "entry", entry: { call: "twice.cu::launch_twice", arguments: ["x", "y", n] } },
};

/** One block, whose first thread gets memory by `taking`; `giving` is run by all at its end. */
const kernelWith = (taking: string, giving: string): string => `
__device__ float* kept;
__global__ void twice(const float* x, float* y, int n) {
  __shared__ float* memory;
  if (threadIdx.x == 0) { ${taking} }
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.0f;
  __syncthreads();
  if (threadIdx.x < n) y[threadIdx.x] = memory[threadIdx.x] + memory[threadIdx.x];
  __syncthreads();
  ${giving}
}
__global__ void giveBack() { free(kept); kept = nullptr; }
`;
const take = "memory = static_cast<float*>(malloc(128 * sizeof(float)));";
const launches = (more: string): string =>
  `void launch_twice(const float* x, float* y, int n) { twice<<<1, 128>>>(x, y, n); ${more} }\n`;
const plain = kernelWith("__shared__ float own[128]; memory = own;", "") + launches("");
const leaking = kernelWith(take, "") + launches("");

interface HeapCase {
  readonly what: string;
  readonly spec: KernelSpec;
  readonly candidate: string;
  /** `plain` when left out. */
  readonly baseline?: string;
  readonly told: readonly string[];
}

const of512 = "memory of the device's heap is taken (malloc) and never freed: 512 bytes stay taken by each";
const usedUp = "so that the heap of 8 MiB is used up after 16,384";
const cases: readonly HeapCase[] = [
  {
    what: "is taken by each launch",
    spec: launched,
    candidate: leaking,
    told: [`${of512} launch, ${usedUp} launches at most, and malloc gives null from then on`],
  },
  {
    what: "is freed",
    spec: launched,
    candidate: kernelWith(take, "if (threadIdx.x == 0) free(memory);") + launches(""),
    told: [],
  },
  {
    what: "is taken once, for all launches",
    spec: launched,
    candidate:
      kernelWith(`if (kept == nullptr) { ${take} kept = memory; } memory = kept;`, "") + launches(""),
    told: [],
  },
  {
    what: "is taken by the kernel as it was, too",
    spec: launched,
    candidate: leaking,
    baseline: `${leaking}// as it was\n`,
    told: [],
  },
  {
    what: "is taken by each call of an entry",
    spec: called,
    candidate: leaking,
    told: [`${of512} call, ${usedUp} calls at most, and malloc gives null from then on`],
  },
  {
    what: "is freed by a later kernel of the call",
    spec: called,
    candidate: kernelWith(`${take} kept = memory;`, "") + launches("giveBack<<<1, 1>>>();"),
    told: [],
  },
];

test.each(cases)("memory that $what", async ({ spec, candidate, baseline = plain, told }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec,
    baseline: { "twice.cu": baseline },
    candidate: { "twice.cu": candidate },
    tier: "full",
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  expect(checked.cases.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual(told);
});
