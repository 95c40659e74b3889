import { expect, test } from "vitest";
import { noBuildSettings, withBodies } from "../../../server/core/workload/build-settings";
import { deviceBodies } from "../../../server/host/services/sources/device-bodies";
import { memoryFiles } from "../../harness/memory-files";

const header = "extern __device__ float f(float x);\n__device__ int g(int);\nvoid host(int);\n";
const user = '#include "k.cuh"\n__global__ void k(float *x) { x[0] = f(x[1]) + g(2); host(1); }';

function named(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => /^src\/k\.cuh?$/.test(path)));
}

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    "of each function its source",
    {
      "src/f.cu": "__device__ float f(float x) { return x; }",
      "src/g.cu": "__device__ int g(int i) { return i; }",
    },
    ["src/f.cu", "src/g.cu"],
  ],
  [
    "what those call again",
    {
      "src/f.cu": '#include "k.cuh"\n__device__ float f(float x) { return g(1); }',
      "lib/g.cu": "__device__ int g(int i) { return i; }",
    },
    ["src/f.cu", "lib/g.cu"],
  ],
  ["no host code", { "src/host.cu": "void host(int) {}", "src/f.cu": "float f(float x) { return x; }" }, []],
  [
    "no program",
    { "src/main.cu": "__device__ float f(float x) { return x; }\nint main() { return 0; }" },
    [],
  ],
  ["none that lies far away", { "a/b/c/f.cu": "__device__ float f(float x) { return x; }" }, []],
  ["none where the body is there", { "src/k.cuh": `${header}__device__ float f(float x) { return x; }` }, []],
])("bodies of device functions in other sources: %s", async (_, files, bodies) => {
  const own = { "src/k.cuh": header, "src/k.cu": user, ...files };
  const found = await deviceBodies(memoryFiles(own), { file: "src/k.cu", own: named(own) }, []);
  expect(found.map(({ file }) => file)).toEqual(bodies);
});

test.each([
  ["the sources behind the compiled one", "a.cu", { "a.cu": 'A\n#include "b.cu"\n', "b.cu": "B" }],
  ["nothing behind another one", "b.cu", { "a.cu": "A", "b.cu": "B" }],
])("with bodies: %s", (_, main, files) => {
  const bodies = ["b.cu", "not-there.cu"].map((file) => ({
    ...{ file, of: "a.cu", where: file, origin: "inferred" as const },
  }));
  expect(withBodies({ "a.cu": "A", "b.cu": "B" }, main, { ...noBuildSettings, bodies })).toEqual(files);
});
