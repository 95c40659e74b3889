import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
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
    // Large matrices take most of a check and show nothing that these do not.
    text: `#include <cassert>
__global__ void row_sum(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int column = 0; column < columns; ++column) sum += in[row * columns + column];
  out[row] = sum;
}
void run(const float* in, float* out, int rows, int columns) {
  assert(rows <= 1024 && columns <= 128);
  row_sum<<<(rows + 127) / 128, 128>>>(in, out, rows, columns);
}
`,
  },
  {
    title: "a launcher that refuses other widths, multiples and counts",
    file: "head_norm.cu",
    code: 0,
    kind: "correct",
    says: "what the right result is",
    text: `#include <cassert>
template <int D> __global__ void head_norm(float* q, int rows) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0.f;
  for (int i = lane; i < D; i += 32) s += q[row * D + i] * q[row * D + i];
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  for (int i = lane; i < D; i += 32) q[row * D + i] *= rsqrtf(s + 1.f);
}
int run(float* q, int batch, int heads, int width) {
  if (width != 64 && width != 128) return -1;
  assert(heads <= 64 && batch % 6 == 0);
  int rows = batch * heads;
  if (width == 64) head_norm<64><<<(rows + 3) / 4, 128>>>(q, rows);
  else head_norm<128><<<(rows + 3) / 4, 128>>>(q, rows);
  return 0;
}
`,
  },
  {
    title:
      "a template over numbers that nothing instantiates, over matrices of a template with a leading dimension",
    file: "added.cu",
    code: 0,
    kind: "correct",
    says: "add_rows<float, 128> is taken",
    text: `template <typename T> struct Mat { T* p; int rows, cols, ld; };
template <typename T, const int BSZ> __global__ void add_rows(Mat<T> m, const T* v) {
  // blocks of 128
  int c = blockIdx.x * BSZ + threadIdx.x;
  if (c < m.cols && blockIdx.y < m.rows) m.p[blockIdx.y * m.ld + c] += v[c];
}
`,
  },
];

test.each(cases)("$title is judged without a spec", async ({ file, text, code, kind, says }) => {
  writeFileSync(join(place.samples, file), text);
  const ended = await place.run(["check", file, "--json"]);
  expect({
    code: ended.code,
    kind: (lastObject(ended)["verdict"] as { kind: string } | undefined)?.kind,
    says: ended.errors.includes(says) ? says : ended.errors,
  }).toEqual({ code, kind, says });
});

test("a volume with a border grows beyond the memory that a probe gives at first", async () => {
  const text = `#define HALO 3
#define AT(f, i, j, k) f[((k) * (ny + 2 * HALO) + (j)) * (nx + 2 * HALO) + (i)]
__global__ void relax(const float* __restrict__ before, float* after, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + HALO;
  const int j = blockIdx.y * blockDim.y + threadIdx.y + HALO;
  if (i >= nx + HALO || j >= ny + HALO) return;
  for (int k = HALO; k < nz + HALO; ++k)
    AT(after, i, j, k) = AT(before, i, j, k - HALO) + AT(before, i, j, k) + AT(before, i, j, k + HALO);
}
void relax_once(const float* before, float* after, int nx, int ny, int nz) {
  relax<<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(before, after, nx, ny, nz);
}
`;
  writeFileSync(join(place.samples, "relax.cu"), text);
  const { code, output } = await place.run(["spec", "--stdout", "relax.cu"]);
  const { outputs, shapes } = parse(output) as {
    readonly outputs: Readonly<Record<string, { readonly shape: unknown }>>;
    readonly shapes: readonly { readonly sizes: Readonly<Record<string, number>> }[];
  };
  const { nx = 0, ny = 0, nz = 0 } = shapes[0]?.sizes ?? {};
  expect({ code, after: outputs["after"]?.shape, isLarge: nx * ny * nz > 2 ** 19 }).toEqual({
    code: 0,
    after: ["(nz + 6) * (ny + 6) * (nx + 6)"],
    isLarge: true,
  });
});

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

const withoutCaller: readonly { readonly title: string; readonly text: string; readonly call: string }[] = [
  {
    title: "rows with strides, one block a row",
    text: `@triton.jit
def kernel(src, dst, src_stride, dst_stride, columns, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(src + row * src_stride + at, mask=at < columns, other=0.0)
    tl.store(dst + row * dst_stride + at, value * scale / tl.sum(value, axis=0), mask=at < columns)
`,
    call: "[(blocks,)](src, dst, src_stride, dst_stride, columns, 0.5, BLOCK=triton.next_power_of_2(columns))",
  },
  {
    title: "tiles of a product, strides of two dimensions",
    text: `@triton.jit
def kernel(a, b, c, M, N, K, am, ak, bk, bn, cm, cn, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):
    m = tl.program_id(0) * TM + tl.arange(0, TM)
    n = tl.program_id(1) * TN + tl.arange(0, TN)
    k = tl.arange(0, TK)
    total = tl.zeros((TM, TN), dtype=tl.float32)
    for start in range(0, K, TK):
        deep = start + k
        in_a = (m[:, None] < M) & (deep[None, :] < K)
        in_b = (deep[:, None] < K) & (n[None, :] < N)
        left = tl.load(a + m[:, None] * am + deep[None, :] * ak, mask=in_a, other=0.0)
        right = tl.load(b + deep[:, None] * bk + n[None, :] * bn, mask=in_b, other=0.0)
        total += tl.dot(left, right)
    tl.store(c + m[:, None] * cm + n[None, :] * cn, total, mask=(m[:, None] < M) & (n[None, :] < N))
`,
    call: "[(triton.cdiv(M, 32), triton.cdiv(N, 32),)](a, b, c, M, N, K, am, 1, bk, 1, cm, 1, TM=32, TN=32, TK=32)",
  },
  {
    title: "a table of rows, looked up by values; blocks along a row",
    text: `@triton.jit
def kernel(table, wanted, out, width, BLOCK: tl.constexpr):
    item = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(wanted + item)
    tl.store(out + item * width + at, tl.load(table + row * width + at, mask=at < width), mask=at < width)
`,
    call: "[(blocks, triton.cdiv(width, 1024),)](table, wanted, out, width, BLOCK=1024)",
  },
  {
    title: "packed whole numbers, which the text does not tell; a seed",
    text: `@triton.jit
def kernel(packed, out, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.load(packed + at // 8, mask=at < n, other=0)
    value = ((word >> ((at % 8) * 4)) & 0xF).to(tl.float32)
    tl.store(out + at, value + tl.rand(seed, at), mask=at < n)
`,
    call: "[(triton.cdiv(n, 1024),)](packed, out, n, seed, BLOCK=1024)",
  },
];

interface InferredSpec {
  readonly entry: { readonly call: string };
  readonly shapes: readonly object[];
}

test.each(withoutCaller)(
  "a Triton kernel that nothing launches is launched by itself: $title",
  async ({ text, call }) => {
    const folder = mkdtempSync(join(place.samples, "alone-"));
    const file = `${relative(place.samples, folder)}/alone.py`;
    writeFileSync(join(place.samples, file), `import triton\nimport triton.language as tl\n\n\n${text}`);
    await place.run(["spec", file]);
    const written = join(place.samples, `${file}.kernel.json`);
    const spec = parse(readFileSync(written, "utf8")) as InferredSpec;
    // The large shapes of four kernels take half of the time and show nothing that the small ones do not: the
    // last two, since a busy machine leaves out a large one.
    writeFileSync(written, JSON.stringify({ ...spec, shapes: spec.shapes.slice(-2) }));
    const checked = await place.run(["check", file, "--json"]);
    expect({
      call: spec.entry.call,
      verdict: (lastObject(checked)["verdict"] as { kind: string } | undefined)?.kind,
    }).toEqual({ call: `alone.py::kernel${call}`, verdict: "correct" });
  },
);

const broken: readonly {
  readonly title: string;
  readonly file?: string;
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
    says: "k: not judged: what it rests on is partly guessed. With these guesses: faulted: broken.cu:1: out of bounds",
  },
  { title: "is none", text: "int nothing;\n", code: 3, says: "broken.cu has no kernel" },
  {
    title: "stands in another file",
    text: "template <typename T> __global__ void k(T* p);\nvoid run(float* p) { k<float><<<1, 32>>>(p); }\n",
    code: 3,
    says: "It launches k: name the file that defines it.",
  },
  {
    title: "is declared alone",
    text: "__global__ void k(float* p);\n",
    code: 3,
    says: "It only declares k: name the file that defines it.",
  },
  {
    title: "is a function of kernels",
    file: "part.py",
    text: "import triton\n\n\n@triton.jit\ndef double(x):\n    return 2 * x\n",
    code: 3,
    says: "double returns a value, as functions do that kernels call: check the file of a kernel that calls it.",
  },
  {
    title: "has a namesake",
    text: "__global__ void k(float* p) { p[0] = 1; }\n__global__ void k(float* p, float v) { p[0] = v; }\n",
    code: 3,
    says: "broken.cu defines 2 kernels of the name k, with other parameters or in other namespaces",
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
  async ({ file = "broken.cu", text, code, says }) => {
    writeFileSync(join(place.samples, file), text);
    const ended = await place.run(["check", file]);
    const told = `${ended.output}${ended.errors}`;
    expect({ code: ended.code, says: told.includes(says) ? says : told }).toEqual({ code, says });
  },
);

test("each kernel of a file is judged, also when one of them cannot be", async () => {
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

test("a file that does not compile is told so for two of its kernels, not for all", async () => {
  const file = "many.cu";
  const kernel = (
    name: string,
    factor: string,
  ): string => `__global__ void ${name}(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = ${factor} * x[i];
}
`;
  const kernels = [
    kernel("once", "1"),
    kernel("twice", "unknown"),
    kernel("thrice", "3"),
    kernel("more", "4"),
  ];
  writeFileSync(join(place.samples, file), kernels.join(""));
  const why = 'does not compile: many.cu:7: error: identifier "unknown" is undefined';
  const said = await place.run(["check", file]);
  const json = lastObject(await place.run(["check", file, "--json"]))["kernels"];
  expect({
    code: said.code,
    table: said.output.split("\n").slice(-5),
    errors: said.errors,
    left: (json as object[]).slice(2),
  }).toEqual({
    code: 1,
    table: [
      `once    ${why}`,
      `twice   ${why}`,
      "thrice  not tried: the file does not compile",
      "more    not tried: the file does not compile",
      "",
    ],
    errors: "not tried, since the file does not compile: thrice, more\n",
    left: ["thrice", "more"].map((name) => ({ kernel: name, file, outcome: "not-tried", reason: why })),
  });
});
