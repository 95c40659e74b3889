import { beforeAll, expect, test } from "vitest";
import { inferEntry } from "../../../server/core/language/cuda/entry-inference";
import { withSource } from "../../../server/core/language/source-file";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

const kernels = `
__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
__global__ void shift(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + 1.0f;
}
`;

/** Of a proposal what its reader looks at first; or why there is none. */
function proposal(text: string): unknown {
  const found = withSource(grammars, "a.cu", text, ({ tree }) => inferEntry(tree.root, "a.cu", "scale"));
  if (found?.ok !== true) return found?.problem;
  const { spec, unknowns } = found.value;
  const shapes = (tensors: typeof spec.inputs): unknown =>
    Object.fromEntries(Object.entries(tensors).map(([name, { dtype, shape }]) => [name, [dtype, ...shape]]));
  return {
    ...(spec.run.kind === "entry" ? spec.run.entry : {}),
    inputs: shapes(spec.inputs),
    outputs: shapes(spec.outputs),
    sizes: Object.keys(spec.shapes[0]?.sizes ?? {}),
    guesses: unknowns.map(({ path }) => path),
  };
}

const float = { value: 1, dtype: "float32" };
const size = { value: "count", dtype: "int32" };
const plain = {
  call: "a.cu::run",
  arguments: ["in", "out", size, float],
  inputs: { in: ["float32", "count"] },
  outputs: { out: ["float32", "count"] },
  sizes: ["count"],
  guesses: ["entry.arguments.3", "reference"],
};

test.each([
  {
    name: "pointers of the device, and a block that is computed",
    text: `void run(const float* in, float* out, int count, float by) {
  int threads = 32; while (threads < count && threads < 256) threads *= 2;
  scale<<<(count + threads - 1) / threads, threads>>>(in, out, count, by);
}`,
    proposed: plain,
  },
  {
    name: "pointers of the host, over copies, in a namespace; two kernels; what the second reads is no input",
    text: `namespace nn { void run(const float* in, float* out, int count, float by) {
  float *x, *y; cudaMalloc(&x, count * 4); cudaMalloc(&y, count * 4);
  cudaMemcpy(x, in, count * 4, cudaMemcpyHostToDevice);
  scale<<<4, 64>>>(x, y, count, by);
  shift<<<4, 64>>>(y, count);
  cudaMemcpy(out, y, count * 4, cudaMemcpyDeviceToHost);
} }`,
    proposed: { ...plain, call: "a.cu::nn::run" },
  },
  {
    name: "vectors, a stream, a block size, and a number of elements that is a product",
    text: `void run(const std::vector<float>& in, std::vector<float>& out, int rows, int columns, int block,
    cudaStream_t stream) {
  float *x, *y;
  cudaMemcpyAsync(x, in.data(), 4, cudaMemcpyHostToDevice, stream);
  scale<<<(rows * columns + block - 1) / block, block, 0, stream>>>(x, y, rows * columns, 2.0f);
  cudaMemcpyAsync(out.data(), y, 4, cudaMemcpyDeviceToHost, stream);
}`,
    proposed: {
      call: "a.cu::run",
      arguments: [
        "in",
        "out",
        { value: "rows", dtype: "int32" },
        { value: "columns", dtype: "int32" },
        { value: 256, dtype: "int32" },
        { bytes: "0000000000000000" },
      ],
      inputs: { in: ["float32", "(rows * columns)"] },
      outputs: { out: ["float32", "(rows * columns)"] },
      sizes: ["rows", "columns"],
      guesses: ["entry.arguments.4", "reference"],
    },
  },
  {
    name: "a structure cannot be made",
    text: "void run(Matrix m) { scale<<<1, 32>>>(m.x, m.y, m.n, 1); }",
    proposed: "what run does with its parameter m (Matrix) cannot be read",
  },
  {
    name: "a program",
    text: "int main() { scale<<<1, 32>>>(a, b, 3, 1); }",
    proposed: "scale is launched by main() alone",
  },
])("$name", ({ text, proposed }) => {
  expect(proposal(kernels + text)).toEqual(proposed);
});
