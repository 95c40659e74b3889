import { expect, test } from "vitest";
import { hostHalf } from "../../../server/core/language/cuda/device/host-half";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const start = "#include <cstdio>\n";
const host = "\nvoid run(float* x) { scale<<<1, 32>>>(x); }\n";

/** The kernel's text, and what of it the host's half has. */
test.each<[string, string, string]>([
  ["a kernel", "__global__ void scale(float* x) {\n  x[0] *= 2;\n}", "__global__ void scale(float* x) {}"],
  [
    "templates, members, unrolled loops",
    "template <int N>\n__global__ void scale(float* x) {\n#pragma unroll 4\n  for (int i = 0; i < N; ++i) x[i] *= 2;\n}\nstruct Two {\n  __device__ float operator()(float x) const {\n    return 2 * x;\n  }\n};",
    "template <int N>\n__global__ void scale(float* x) {}\nstruct Two {\n  __device__ float operator()(float x) const {}\n};",
  ],
  [
    "launch bounds stay",
    "__global__ void __launch_bounds__(64) scale(float* x) { *x = 1; }",
    "__global__ void __launch_bounds__(64) scale(float* x) {}",
  ],
])("%s: bodies are empty and take no lines", async (_, text, left) => {
  const { files, lines } = hostHalf(await loadGrammars(), { "a.cu": `${start}${text}${host}` });
  expect(files["a.cu"]).toBe(`${start}${left}${host}`);
  const source = `${start}${text}${host}`.split("\n");
  expect(lines["a.cu"]?.at(-2)).toBe(source.length - 1);
  const shown = lines["a.cu"]?.map((line) => source[line - 1] ?? "");
  expect(shown?.filter((line) => /include|run\(/.test(line))).toHaveLength(2);
});

/** What the host may see of a body, by one way or another. */
test.each<[string, string]>([
  ["host and device", "__host__ __device__ float twice(float x) { return 2 * x; }"],
  ["a macro that says so", "#define BOTH __host__ __device__\nBOTH float twice(float x) { return 2 * x; }"],
  [
    "a macro for one half of it",
    "#define ALSO __host__\nALSO __device__ float twice(float x) { return 2 * x; }",
  ],
  ["a library's macro", "CUTLASS_HOST_DEVICE __device__ float twice(float x) { return 2 * x; }"],
  ["a constant expression", "constexpr __device__ int size() { return 4; }"],
  ["a type that the body decides", "__device__ auto size() { return 4; }"],
  ["a variable of its own", "__global__ void scale(float* x) { static __device__ int calls; ++calls; }"],
  ["a definition for what follows", "__global__ void scale(float* x) {\n#define SIZE 4\n  *x = SIZE;\n}"],
  ["the same with a digraph", "__global__ void scale(float* x) {\n%:define SIZE 4\n  *x = SIZE;\n}"],
  ["a directive on a joined line", "__global__ void scale(float* x) {\n#pragma unroll \\\n\n  *x = 1;\n}"],
  ["a count of expansions", "__global__ void scale(float* x) { *x = 1; }\nint number = __COUNTER__;"],
  [
    "words that mean something else",
    "#undef __global__\n#define __global__\n__global__ void scale(float* x) { *x = 1; }",
  ],
  ["a source that includes itself", "__global__ void scale(float* x) { *x = 1; }\n#include SELF"],
  ["a text that is not understood", "__global__ void scale(float* x) { *x = 1; }\nvoid other( {"],
])("a body that reaches host code stays: %s", async (_, text) => {
  const { files } = hostHalf(await loadGrammars(), { "a.cu": text });
  expect(files["a.cu"]).toBe(text);
});

test("macros of the build count as those of the files", async () => {
  const text = "ALSO __device__ float twice(float x) { return 2 * x; }\n";
  const { files } = hostHalf(await loadGrammars(), { "a.cu": text }, "#define ALSO __host__\n");
  expect(files["a.cu"]).toBe(text);
});

test("host code that tells its own line keeps its line", async () => {
  const text = "__global__ void scale(float* x) {\n  *x = 1;\n}\nint where() { return __LINE__; }\n";
  const { files, lines } = hostHalf(await loadGrammars(), { "a.cu": text });
  expect(files["a.cu"]).toBe("__global__ void scale(float* x) {\n\n}\nint where() { return __LINE__; }\n");
  expect(lines["a.cu"]).toEqual([1, 2, 3, 4, 5]);
});
