import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defaultTarget } from "../../../server/core/timing/target";
import { composeServices } from "../../../server/host/compose";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-heavy-")));
const services = await composeServices({
  workspaceFolder: folder,
  sessionsFolder: join(folder, "sessions"),
  environment: process.env,
});
afterAll(async () => {
  await services.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const program = `
__global__ void settle(const float* start, float* end, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = start[i];
  for (int turn = 0; turn < 1500; ++turn) x = x * 0.5f + sinf(x);
  end[i] = x;
}

#include <cstdio>

int main() {
  if (FILE* left = fopen("settled.txt", "w")) fclose(left);
  const int count = 1 << 18;
  float *start, *end;
  cudaMalloc(&start, count * sizeof(float));
  cudaMalloc(&end, count * sizeof(float));
  cudaMemset(start, 0, count * sizeof(float));
  settle<<<count / 128, 128>>>(start, end, count);
  return cudaDeviceSynchronize();
}
`;

test("a program whose one launch is too much work for a verdict is checked with smaller sizes, which is said", async () => {
  writeFileSync(join(folder, "settle.cu"), program);
  const { spec, unknowns } = await services.specs.infer(
    { file: "settle.cu", kernel: "settle" },
    { target: defaultTarget, signal: new AbortController().signal },
  );
  expect(existsSync(join(folder, "settled.txt")), "what an unasked run writes").toBe(false);
  const sizes = spec.shapes.map(({ sizes: { count = 0 } }) => count);
  expect(sizes.every((count) => count > 0 && count < 1 << 18)).toBe(true);
  expect(
    unknowns.filter((text) => text.includes("so much work")).map((text) => text.replace(/[\d,]+/, "N")),
  ).toEqual([
    "shapes: the program settle.cu launches it with so much work (N million instructions of warps) that a verdict would take minutes; smaller sizes are checked, made of those that it passes. kernelwright capture settle.cu -- ARGUMENTS records smaller ones of your own",
  ]);
});

test("a program whose buffers are larger than what is recorded is checked with numbers made of its own", async () => {
  const roomy = `
__global__ void fade(const float* from, float* to, int count, int rounds, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = from[i];
  for (int round = 0; round < rounds; ++round) x *= rate;
  to[i] = x;
}
int main() {
  const int count = 3000;
  float *from, *to;
  cudaMalloc(&from, 300 << 20);
  cudaMalloc(&to, count * sizeof(float));
  fade<<<(count + 127) / 128, 128>>>(from, to, count, 77, 0.875f);
  return cudaDeviceSynchronize();
}
`;
  writeFileSync(join(folder, "fade.cu"), roomy);
  const { spec, unknowns } = await services.specs.infer(
    { file: "fade.cu", kernel: "fade" },
    { target: defaultTarget, signal: new AbortController().signal },
  );
  expect(spec.shapes[0]?.sizes).toEqual({ count: 3000, rounds: 77 });
  expect(spec.run).toMatchObject({
    launch: { arguments: expect.arrayContaining([{ value: 0.875, dtype: "float32" }]) },
  });
  expect(unknowns).toContain(
    "shapes: the program fade.cu launches it with larger buffers than are recorded; smaller sizes are checked, made of those that it passes.",
  );
});

test("a program that shows nothing is told beside why the kernel cannot be launched by itself", async () => {
  const wanting = `
__global__ void clear(float* row, float (*value)(int)) { row[threadIdx.x] = value(threadIdx.x); }
int main(int count, char** words) {
  if (count < 2) return 2;
  clear<<<1, 32>>>(nullptr, nullptr);
  return 0;
}
`;
  writeFileSync(join(folder, "clear.cu"), wanting);
  const inferring = services.specs.infer(
    { file: "clear.cu", kernel: "clear" },
    { target: defaultTarget, signal: new AbortController().signal },
  );
  await expect(inferring).rejects.toThrow(
    /the program clear\.cu ended with 2 after 0 launches, none of them usable for clear; by itself: \w/,
  );
});
