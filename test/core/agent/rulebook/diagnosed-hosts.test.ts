import { beforeAll, expect, test } from "vitest";
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

/** Steps of a program whose kernel keeps what another one has made. */
const kept = (
  value: string,
  other: string,
): string => `//@case ${JSON.stringify({ kernel: "keep", spec: { program } })}
__global__ void keep(float* field, const float* made, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  field[i] = ${value};  //@ globalLoadSectorsIdeal=4096 globalStoreSectorsIdeal=4096 instructions=9000
}
int main() {
  for (int s = 0; s < 40; ++s) {
    ${other}
    keep<<<64, 256>>>(field, made, n);
  }
}
`;

/** Noise that a launch makes and a later one walks over, and perhaps the host or other threads. */
const noise = (looked: string, index: string): string => `//@case {"kernel": "walk"}
__global__ void draw(float* z, int paths, int steps) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  if (p < paths) z[(size_t)k * paths + p] = __sinf(p * 0.37f + k);
}
__global__ void walk(const float* z, float* out, int paths, int steps) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += gridDim.x * blockDim.x) {
    float s = 0.0f;
    for (int k = 0; k < steps; ++k) s += z[${index}];  //@ globalLoadSectors=90000 instructions=90000
    out[p] = s;
  }
}
int main() {
  float *z, *out;
  cudaMalloc(&z, bytes);
  cudaMalloc(&out, bytes);
  draw<<<dim3(paths / 256, steps), 256>>>(z, paths, steps);
  ${looked}
  walk<<<864, 256>>>(z, out, paths, steps);
  cudaFree(z);
}
`;

/** A solver that asks each turn for something, by a member of its buffer. */
const solver = (asked: string): string => `//@case {"kernel": "relax"}
struct Buffer {
  float* at;
  size_t count;
  void download(std::vector<float>& to) { cudaMemcpy(to.data(), at, 4 * count, cudaMemcpyDeviceToHost); }
  size_t size() const { return count; }
};
__global__ void relax(const float* u, float* v, float* change, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = 0.5f * u[i], change[i] = fabsf(v[i] - u[i]);  //@ instructions=9000
}
void solve(Buffer a, Buffer b, Buffer change, int n) {
  while (most > 1e-4f) {
    relax<<<64, 256>>>(a.at, b.at, change.at, n);
    ${asked}
    std::swap(a, b);
  }
}
`;

/** Updates of short tensors, one launch each; `of` is what the launches are about. */
const updates = (of: string): string => {
  const launches = [
    {
      ...{ grid: [4, 1, 1], block: [256, 1, 1], threadsPerBlock: 256, blocks: 4, times: 1 },
      bound: { gpu: "A100 40GB SXM", nanoseconds: 900, terms: { latency: 900 }, binding: "latency" },
    },
  ];
  return `//@case ${JSON.stringify({ kernel: "update", launches })}
__global__ void update(float* w, const float* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= 0.1f * g[i];  //@ instructions=9000
}
void step(const std::vector<Slot>& slots, Slot all) {
  for (const Slot& slot : slots) update<<<(${of}.n + 255) / 256, 256>>>(${of}.w, ${of}.g, ${of}.n);
}
`;
};

test.each([
  ["a launch for each tensor of a list", updates("slot"), "many-launches", true],
  ["the same launch for each of a list", updates("all"), "many-launches", false],
  [
    "copies of a program's loop between what its kernel is handed",
    steps("a, b", { program }),
    "device-copies",
    true,
  ],
  [
    "a kernel that copies behind each step",
    kept("made[i]", "step<<<64, 256>>>(field, made, n);"),
    "device-copies",
    true,
  ],
  [
    "a kernel that weighs what it copies",
    kept("0.5f * made[i]", "step<<<64, 256>>>(field, made, n);"),
    "device-copies",
    false,
  ],
  ["a copy that is timed by itself", kept("made[i]", ""), "device-copies", false],
  ["copies to elsewhere", steps("history, b", { program }), "device-copies", false],
  ["copies of an entry, which are counted", steps("a, b", {}), "device-copies", false],
  ["a copy to the host by a member, each turn", solver("change.download(host);"), "host-waits", true],
  ["a member that asks nothing of the device", solver("most /= change.size();"), "host-waits", false],
  ["noise that one later launch alone reads", noise("", "(size_t)k * paths + p"), "unfused", true],
  ["noise that all threads read again", noise("", "k"), "unfused", false],
  [
    "noise that the host reads, too",
    noise("cudaMemcpy(host, z, bytes, cudaMemcpyDeviceToHost);", "(size_t)k * paths + p"),
    "unfused",
    false,
  ],
] as const)("%s", (_, text, cause, expected) => {
  const found = diagnosed(readCase("case.cu", text, parse), undefined);
  expect(found.some((each) => each.cause === cause)).toBe(expected);
});
