import { expect, test } from "vitest";
import { succeed } from "../../../server/core/base/outcome";
import { noBuildSettings } from "../../../server/core/workload/build-settings";
import type { FoundWorkload, WorkloadRequest } from "../../../server/host/services/workload/finders";
import { sharedEntries } from "../../../server/host/services/workload/shared/shared-entries";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { memoryFiles } from "../../harness/memory-files";

const text = `__global__ void sums(const float* x, float* s, int n) { s[threadIdx.x] = x[threadIdx.x] * n; }
__global__ void divide(const float* s, float* y, int n) { y[threadIdx.x] = s[threadIdx.x] / n; }
__global__ void other(float* y, int n) { y[threadIdx.x] = n; }
void normalize(const float* x, float* s, float* y, int n) {
  sums<<<1, n>>>(x, s, n);
  divide<<<1, n>>>(s, y, n);
}
void fill(float* y, int n) { other<<<1, n>>>(y, n); }
`;

/** What is looked for, kernel after kernel, where calls of `normalize` were seen to launch some. */
async function soughtFor(
  kernels: readonly string[],
  how: { readonly launches?: readonly string[]; readonly passed?: object; readonly run?: object },
): Promise<readonly string[]> {
  const sought: string[] = [];
  const {
    launches = ["sums", "divide"],
    passed,
    run = { kind: "entry", entry: { call: "a.cu::normalize" } },
  } = how;
  const builds = { settingsFor: () => Promise.resolve(noBuildSettings) };
  const finder = sharedEntries(
    {
      looksFor: "a workload",
      find: ({ kernel }) => {
        sought.push(kernel);
        const found = { spec: { kernel, run }, unknowns: [], specFolder: "", launches };
        return Promise.resolve(succeed(found as unknown as FoundWorkload));
      },
    },
    { files: memoryFiles({ "a.cu": text }), builds: builds as never, grammars: loadGrammars },
  );
  for (const kernel of kernels) {
    const request = { file: "a.cu", text, kernel, target: { kind: "vgpu" }, ...(passed && { passed }) };
    const found = await finder.find(request as unknown as WorkloadRequest);
    expect(found.ok && found.value.spec.kernel).toBe(kernel);
  }
  return sought;
}

test.each<readonly [string, readonly string[], Parameters<typeof soughtFor>[1], readonly string[]]>([
  ["that the same function launches", ["sums", "divide", "sums"], {}, ["sums"]],
  ["that another function leads to", ["sums", "other"], { launches: ["sums", "other"] }, ["sums", "other"]],
  ["that not each call launches", ["sums", "divide"], { launches: ["sums"] }, ["sums", "divide"]],
  ["of which a program has shown numbers", ["sums", "divide"], { passed: { n: 4 } }, ["sums", "divide"]],
  ["that is launched by itself", ["sums", "divide"], { run: { kind: "launch" } }, ["sums", "divide"]],
])("a kernel %s is looked for, or not", async (_, kernels, how, expected) => {
  expect(await soughtFor(kernels, how)).toEqual(expected);
});
