import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
