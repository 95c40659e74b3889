import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inferSpec } from "../../../server/core/language/inference";
import { withSource } from "../../../server/core/language/source-file";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { writeKernelSpec } from "../../../server/core/workload/spec-write";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { expectCase } from "../../harness/cases";

const grammars = await loadGrammars();

test.each([
  ["vector_add.cu", "vector_add"],
  ["softmax.cu", "softmax"],
  ["transpose.cu", "transpose"],
  ["matmul.cu", "matmul"],
  ["vector_add.py", "vector_add_kernel"],
  ["softmax.py", "softmax_kernel"],
  ["matmul.py", "matmul_kernel"],
])("the sample %s gets a spec", (file, kernel) => {
  const inferred = withSource(grammars, file, readFileSync(`samples/${file}`, "utf8"), (source) =>
    inferSpec(source, file, kernel),
  );
  if (inferred === undefined || !inferred.ok) throw new Error(inferred?.problem ?? "no dialect");
  const text = writeKernelSpec(inferred.value.spec, inferred.value.unknowns);
  expectCase(`language/inference/${file}.json`, text.split("\n"));
  expect(parseKernelSpec(text)).toEqual({ ok: true, value: inferred.value.spec });
});

test.each<[string, string, string]>([
  [
    "a.cu",
    "__global__ void k(const float* x) {}",
    "k writes through none of its parameters: there is no output to check",
  ],
  [
    "a.cu",
    "struct P { int a; };\n__global__ void k(float* x, P p) { x[0] = p.a; }",
    "the parameter p of k has the type P, which a kernel spec cannot pass",
  ],
  [
    "a.py",
    "import triton\n@triton.jit\ndef k(x):\n    pass\n",
    "no function of a.py launches k: write a kernel spec that names the function as its entry",
  ],
  ["a.cu", "__global__ void other(float* x) { x[0] = 1; }", "there is no kernel k in a.cu"],
])("%s refused: %s", (file, text, problem) => {
  expect(withSource(grammars, file, text, (source) => inferSpec(source, file, "k"))).toEqual({
    ok: false,
    problem,
  });
});

test("without a launch site the launch is guessed and marked", () => {
  const text =
    "template <typename T> __global__ void k(T* out, const T* in, int n, float scale) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * scale; }";
  const inferred = withSource(grammars, "a.cu", text, (source) => inferSpec(source, "a.cu", "k"));
  if (inferred === undefined || !inferred.ok) throw new Error(inferred?.problem ?? "no dialect");
  expectCase(
    "language/inference/no-launch.json",
    writeKernelSpec(inferred.value.spec, inferred.value.unknowns).split("\n"),
  );
});

test.each<[string, string, string, readonly string[]]>([
  ["a piece of each block", "x[blockIdx.x * 128 + t]", "blocks, 128", ["blocks * 128"]],
  ["a piece of each block, the number first", "x[t + 128 * blockIdx.x]", "blocks, 128", ["blocks * 128"]],
  ["one element for each block", "x[blockIdx.x]", "blocks, 128", ["blocks"]],
  ["a stride that is no number", "x[blockIdx.x * t]", "blocks, 128", ["blocks"]],
  ["no size at all", "x[t]", "2, 64", ["128"]],
])("the length of an input that is indexed by %s", (_, index, launch, shape) => {
  const text = `__global__ void k(const float* x, float* y) { int t = threadIdx.x; y[blockIdx.x] = ${index}; }\nvoid run(const float* x, float* y, int blocks) { k<<<${launch}>>>(x, y); }`;
  const inferred = withSource(grammars, "a.cu", text, (source) => inferSpec(source, "a.cu", "k"));
  expect(inferred?.ok === true ? inferred.value.spec.inputs["x"]?.shape : inferred).toEqual(shape);
});
