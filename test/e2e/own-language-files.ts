/** Sources with a classic mistake in each language, as they stand in a folder that nobody trusts. */
export const languageFiles: Readonly<Record<string, string>> = {
  "kernels/damp.cuh": `#pragma once

template <typename T>
__global__ void damp(const T* x, T* y, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * __ldg(&x[i]);
}
`,
  "src/run.cu": `#include "../kernels/damp.cuh"

__global__ void halve(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0.5 * x[i];
}

void run(const float* x, float* y, int n) {
  damp<float><<<(n + 255) / 256, 256>>>(x, y, 2.0f, n);
  cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}
`,
  "kernels/gain.cu": `__global__ void gain(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
`,
  "kernels/gain.cu.kernel.json": `{
  "version": 1,
  // Twice as loud.
  "kernel": "gain.cu::gain",
  "launch": { "grid": ["ceil_div(n, 256)"], "block": [256], "arguments": ["x", { "value": "n", "dtype": "int32" }] },
  "inputs": { "x": { "dtype": "float32", "shape": ["n"] } },
  "outputs": { "x": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 1024 } }],
  "reference": "baseline"
}
`,
  "ops/clip.py": `import triton
import triton.language as tl


@triton.jit
def clip_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, tl.minimum(x, 1.0), mask=i < n)


def clip(x, y):
    clip_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
`,
};

/** Where in a text the `|` of a marked piece of it stands, both from 1. */
export function placeIn(text: string, marked: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf(marked.replace("|", "")) + marked.indexOf("|")).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
