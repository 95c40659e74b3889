import { beforeAll, expect, test } from "vitest";
import { constantsApart } from "../../../../server/core/agent/rulebook/cuda/causes/constants-apart";
import { diagnosed } from "../../../../server/core/agent/rulebook/diagnosis/index";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

let parse: RuleParse;
beforeAll(async () => {
  parse = await ruleParse();
});

const program = { main: ["a.cu"], file: "kernels/case.cu" };

/** Steps of a program; each copies back what the kernel is handed, or something else. */
const steps = (copied: string, spec: object): string => `//@case ${JSON.stringify({ kernel: "step", spec })}
__global__ void step(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 0.5f * a[i];  //@ globalLoadSectorsIdeal=4096 globalStoreSectorsIdeal=4096 instructions=9000
}
int main() {
  for (int s = 0; s < 40; ++s) {
    step<<<64, 256>>>(a, b, n);
    CHECK(cudaMemcpyAsync(${copied}, bytes, cudaMemcpyDeviceToDevice));
  }
}
`;

/** A score of each item for each pixel, with a logarithm of something. */
const scores = (what: string): string => `//@case {"kernel": "assign"}
struct Item { float weight; float mean; };
__device__ inline float score(const Item& item, float x) {
  const float d = x - item.mean;
  const float spread = ${what};
  return logf(spread) - d * d;  //@ instructions=90000
}
__global__ void assign(const float* x, const Item* items, float* best, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float most = -1e30f;
  for (int c = 0; c < k; ++c) most = fmaxf(most, score(items[c], x[i]));  //@ instructions=20000 globalLoadRequests=1000
  best[i] = most;
}
`;

test.each([
  [
    "copies of a program's loop between what its kernel is handed",
    steps("a, b", { program }),
    "device-copies",
    true,
  ],
  ["copies to elsewhere", steps("history, b", { program }), "device-copies", false],
  ["copies of an entry, which are counted", steps("a, b", {}), "device-copies", false],
  ["a function's value of an item alone", scores("item.weight * 2.0f"), "recomputed-values", true],
  ["a function's value of the pixel, too", scores("item.weight * d"), "recomputed-values", false],
] as const)("%s", (_, text, cause, expected) => {
  const found = diagnosed(readCase("case.cu", text, parse), undefined);
  expect(found.some((each) => each.cause === cause)).toBe(expected);
});

test.each([
  ["a table of constants at places of the lanes", "y = table[in.x];", 4096],
  ["the same beside an element of global memory", "y = table[in.x] + gain[i * 32];", 36864],
  ["constants that all lanes share", "y = table[n];", 36864],
] as const)("sectors of %s", (_, line, expected) => {
  const text = `//@case {"kernel": "decode"}
__constant__ float table[256];
__global__ void decode(const uchar4* codes, const float* gain, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 in = codes[i];
  float y;
  ${line}  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=0
  out[i] = y;  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
}
`;
  const { counters } = constantsApart(readCase("case.cu", text, parse));
  expect(counters.totals.globalLoadSectors).toBe(expected);
  expect(counters.lines.reduce((sum, each) => sum + each.globalLoadSectors, 0)).toBe(expected);
});
