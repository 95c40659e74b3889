import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { afterAll, expect, test } from "vitest";
import { Workplace, lastObject } from "./workplace";

const place = new Workplace();
afterAll(() => place.remove());

/** Kernels without a spec file, as a newcomer has them. */
const cases: readonly {
  readonly title: string;
  readonly file: string;
  readonly text: string;
  readonly code: number;
  readonly kind: string;
  readonly says: string;
}[] = [
  {
    title: "a kernel that works in place",
    file: "in_place.cu",
    code: 0,
    kind: "correct",
    says: "what the right result is",
    text: `__global__ void axpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
void run(int n, float a, const float* x, float* y) { axpy<<<(n + 255) / 256, 256>>>(n, a, x, y); }
`,
  },
  {
    title: "a sum of each row",
    file: "row_sum.cu",
    code: 0,
    kind: "correct",
    says: "what the right result is",
    text: `__global__ void row_sum(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int column = 0; column < columns; ++column) sum += in[row * columns + column];
  out[row] = sum;
}
void run(const float* in, float* out, int rows, int columns) { row_sum<<<(rows + 127) / 128, 128>>>(in, out, rows, columns); }
`,
  },
];

test.each(cases)(
  "$title is judged without a spec",
  { timeout: 120_000 },
  async ({ file, text, code, kind, says }) => {
    writeFileSync(join(place.samples, file), text);
    const ended = await place.run(["check", file, "--json"]);
    expect({
      code: ended.code,
      kind: (lastObject(ended)["verdict"] as { kind: string } | undefined)?.kind,
      says: ended.errors.includes(says) ? says : ended.errors,
    }).toEqual({ code, kind, says });
  },
);

test("a launcher with strides, numbers behind pointers and a helper elsewhere is called", async () => {
  const folder = join(place.samples, "blas");
  mkdirSync(folder);
  const files = {
    "report.h": "#pragma once\nvoid report(const char* where);\n",
    "report.cu": `#include "report.h"
#include <cstdio>
void report(const char* where) { if (cudaGetLastError() != cudaSuccess) puts(where); }
`,
    // Declared there too, and not needed.
    "other.cu": `#include "report.h"
static const int clash = 1;
void unrelated() { report("other"); }
`,
    "geam.cu": `#include "report.h"
__global__ void geam(int m, int n, float alpha, const float* a, int lda, float beta, float* c, int ldc) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float* place = c + row * ldc + column;
  *place = alpha * a[row * lda + column] + beta * *place;
}
void add(int m, int n, const float* alpha, const float* a, int lda, const float* beta, float* c, int ldc) {
  geam<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, *alpha, a, lda, *beta, c, ldc);
  report("add");
}
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { code, output, errors } = await place.run(["spec", "--stdout", "blas/geam.cu"]);
  const { entry, inputs, outputs, shapes } = parse(output) as Record<string, unknown>;
  const number = { dtype: "float32", shape: [1], distribution: "normal" };
  const matrix = (stride: string): unknown => ({ dtype: "float32", shape: [`(m - 1) * ${stride} + n`] });
  const normal = (stride: string): unknown => ({ ...Object(matrix(stride)), distribution: "normal" });
  expect({ code, errors, entry, inputs, outputs, shapes }).toEqual({
    code: 0,
    errors: expect.stringContaining("1 thing to look at:\n  reference:"),
    entry: {
      call: "geam.cu::add",
      arguments: [
        ...[{ value: "m", dtype: "int32" }, { value: "n", dtype: "int32" }, "alpha", "a"],
        ...[{ value: "lda", dtype: "int32" }, "beta", "c", { value: "ldc", dtype: "int32" }],
      ],
      sources: ["report.cu"],
    },
    inputs: { alpha: number, a: normal("lda"), beta: number, c: normal("ldc") },
    outputs: { c: matrix("ldc") },
    shapes: [
      { sizes: { m: 1024, n: 1024, lda: 1024, ldc: 1024 } },
      { sizes: { m: 1031, n: 1033, lda: 1035, ldc: 1037 } },
      { sizes: { m: 17, n: 19, lda: 21, ldc: 23 } },
      { sizes: { m: 523, n: 525, lda: 527, ldc: 529 }, heldOut: true },
    ],
  });
});

const broken: readonly {
  readonly title: string;
  readonly text: string;
  readonly code: number;
  readonly says: string;
}[] = [
  {
    title: "does not compile",
    text: "__global__ void k(const float* x, float* p, int n) { int i = threadIdx.x; if (i < n) p[i] = nothing; }\nvoid run(const float* x, float* p, int n) { k<<<1, 256>>>(x, p, n); }\n",
    code: 1,
    says: 'k: does not compile: broken.cu:1: error: identifier "nothing" is undefined',
  },
  {
    title: "reads out of bounds",
    text: "__global__ void k(const float* x, float* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = x[i] * 2; }\nvoid run(const float* x, float* p, int n) { k<<<(n + 255) / 256, 256>>>(x, p, n); }\n",
    code: 1,
    says: "k: faulted: broken.cu:1: out of bounds",
  },
  { title: "is none", text: "int nothing;\n", code: 3, says: "broken.cu has no kernel" },
  {
    title: "stands in another file",
    text: "template <typename T> __global__ void k(T* p);\nvoid run(float* p) { k<float><<<1, 32>>>(p); }\n",
    code: 3,
    says: "It launches k: name the file that defines it.",
  },
  {
    title: "does not parse",
    text: "\n__global__ void k(float* x) { x[0] = 1 }\nint main() { k<<<1, 1>>>(nullptr); return 0 }\n",
    code: 3,
    says: "What begins on line 2 does not parse; a kernel there is not found.",
  },
];

test.each(broken)(
  "a kernel that is its own reference and $title is told so, with its line",
  { timeout: 120_000 },
  async ({ text, code, says }) => {
    writeFileSync(join(place.samples, "broken.cu"), text);
    const ended = await place.run(["check", "broken.cu"]);
    const told = `${ended.output}${ended.errors}`;
    expect({ code: ended.code, says: told.includes(says) ? says : told }).toEqual({ code, says });
  },
);

test("each kernel of a file is judged, also when one of them cannot be", { timeout: 120_000 }, async () => {
  const file = "several.cu";
  writeFileSync(
    join(place.samples, file),
    `__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
__global__ void calls(const float* x, float* y, void (*f)(int), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = x[i]; f(i); }
}
`,
  );
  const ended = await place.run(["check", file, "--json"]);
  const kernels = lastObject(ended)["kernels"] as Record<string, { kind?: string; code?: string }>[];
  expect({
    code: ended.code,
    kernels: kernels.map(({ kernel, verdict, error }) => [kernel, verdict?.kind ?? error?.code]),
  }).toEqual({
    code: 3,
    kernels: [
      ["twice", "correct"],
      ["calls", "spec-invalid"],
    ],
  });
});
