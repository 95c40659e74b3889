import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

/** What a GPU leaves undefined is a fault where it is wanted, and told where it is not. */
const under = evaluatorOfFile();

const spec: KernelSpec = {
  file: "sum.cu",
  kernel: "sum",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: {
      grid: ["rows", 1, 1],
      block: [256, 1, 1],
      sharedBytes: 0,
      arguments: ["x", "y"],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["rows", 256] } },
  outputs: { y: { dtype: "float32", shape: ["rows"] } },
  shapes: [{ sizes: { rows: 70 } }],
  reference: { kind: "expression", expressions: { y: "x.sum(axis=1)" } },
  objective: "modelled-bound",
};

/** The last lanes add up the parts of eight warps; the thread `last` stores what it has. */
const kernel = (last: number): string => `
__global__ void sum(const float* x, float* y) {
  __shared__ float parts[8];
  const int t = threadIdx.x;
  float value = x[blockIdx.x * 256 + t];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
  if (t % 32 == 0) parts[t / 32] = value;
  __syncthreads();
  if (t < 8) {
    value = parts[t];
    for (int step = 4; step > 0; step /= 2) value += __shfl_down_sync(0xffu, value, step);
    if (t == ${last}) y[blockIdx.x] = value;
  }
}
`;

test.each([
  { what: "by the first lane, whose value is whole", last: 0, passed: true, kinds: [], isTold: true },
  {
    what: "by another one, which has taken values of lanes that do not take part",
    last: 5,
    passed: false,
    kinds: ["inactive-shuffle"],
    isTold: false,
  },
])("a sum is stored $what", async ({ last, passed, kinds, isTold }) => {
  const { checked } = await evaluate(under.evaluator, { spec, baseline: { "sum.cu": kernel(last) } });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const [first] = checked.cases;
  expect({
    passed: first?.passed,
    kinds: first?.findings.map(({ kind }) => kind),
    isTold: (first?.remarks ?? []).some((each) =>
      /^sum\.cu:11: undefined shuffle: .* is not wanted/.test(each),
    ),
  }).toEqual({ passed, kinds, isTold });
});

const frontier: KernelSpec = {
  ...spec,
  file: "front.cu",
  kernel: "front",
  run: { kind: "launch", launch: { grid: ["n / 64"], block: [64], arguments: ["level", "next"] } },
  inputs: {
    level: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: -1, high: 2 } },
    next: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: 0, high: "n - 1" } },
  },
  outputs: { level: { dtype: "int32", shape: ["n"] } },
  shapes: [{ sizes: { n: 4096 } }],
  reference: { kind: "baseline" },
};

/** Each thread looks at its own level, and stores into that of another one. */
const front = (store: string): string => `
__global__ void front(int* level, const int* next) {
  const int v = blockIdx.x * 64 + threadIdx.x;
  if (level[v] != 2) return;
  const int w = next[v];
  if (level[w] < 0) ${store}
}
`;

test.each([
  { what: "all of which store the same, are none", store: "level[w] = 3;", kinds: [] },
  { what: "which add to what they read, are at fault", store: "level[w] += v;", kinds: ["global-race"] },
  {
    what: "which tell who came first, are at fault",
    store: "{ level[w] = 3; level[v] = 4; }",
    kinds: ["global-race"],
  },
])("threads that read what others store meanwhile, $what", async ({ store, kinds }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: frontier,
    baseline: { "front.cu": front(store) },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const [first] = checked.cases;
  expect([...new Set(first?.findings.map(({ kind }) => kind))]).toEqual(kinds);
});

const waves: KernelSpec = {
  ...spec,
  file: "wave.cu",
  kernel: "wave",
  run: {
    kind: "launch",
    launch: {
      ...{ grid: ["n / 64"], block: [64] },
      arguments: ["next", "ring", "grew", { value: "at", dtype: "int32" }],
    },
  },
  inputs: {
    ring: { dtype: "int32", shape: ["n"], distribution: { kind: "range", low: -1, high: 2 } },
    next: { dtype: "int32", shape: ["n", 9], distribution: { kind: "range", low: 0, high: "n - 1" } },
    grew: { dtype: "int32", shape: [1], distribution: { kind: "constant", value: 0 } },
  },
  outputs: { ring: { dtype: "int32", shape: ["n"] }, grew: { dtype: "int32", shape: [1] } },
  shapes: [{ sizes: { n: 2048 }, values: { at: 1 } }],
  reference: { kind: "baseline" },
};

/** Elements of the ring hand it on to their neighbours, who are not in any. */
const wave = (stored: string): string => `
__global__ void wave(const int* next, int* ring, int* grew, int at) {
  const int v = blockIdx.x * 64 + threadIdx.x;
  if (ring[v] != at) return;
  for (int e = 0; e < 9; ++e) {
    const int w = next[9 * v + e];
    if (ring[w] == -1) {
      ring[w] = ${stored};
      *grew = 1;
    }
  }
}
`;

test.each([
  { what: "the number behind its own", stored: "at + 1", kinds: [] },
  { what: "the number behind what it holds", stored: "ring[v] + 1", kinds: [] },
  // Who comes late may find the ring that is handed on, and hand it on as well.
  { what: "its own number", stored: "at", kinds: ["global-race"] },
  { what: "who was first", stored: "v", kinds: ["global-race"] },
])("a wave whose neighbours are given $what", async ({ stored, kinds }) => {
  const { checked } = await evaluate(under.evaluator, {
    spec: waves,
    baseline: { "wave.cu": wave(stored) },
  });
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  const [first] = checked.cases;
  expect([...new Set(first?.findings.map(({ kind }) => kind))]).toEqual(kinds);
});
