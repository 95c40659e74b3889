import { expect, test } from "vitest";
import { constantVariables } from "../../../server/core/language/cuda/constant-variables";
import { constantsLeft } from "../../../server/core/language/cuda/entry/constants-left";

const kernel = `__constant__ float taps[9];
__global__ void blur(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = taps[i % 9] * x[i];
}
`;
const set = "void load_taps(const float* w) { cudaMemcpyToSymbol(taps, w, sizeof(taps)); }\n";

test.each([
  ["set by a function that nobody calls", `${set}void run() { blur<<<1, 32>>>(x, y, 32); }`, ["taps"]],
  ["set by nobody", "void run() { blur<<<1, 32>>>(x, y, 32); }", ["taps"]],
  [
    "set by what it calls",
    `${set}void run(const float* w) { if (w) { load_taps(w); } blur<<<1, 1>>>(x, y, 1); }`,
    [],
  ],
  [
    "set by itself",
    "void run(const float* w) { cudaMemcpyToSymbolAsync(taps, w, 36, 0, kind, s); blur<<<1, 1>>>(x, y, 1); }",
    [],
  ],
  [
    "filled through its address",
    "void run() { void* at; cudaGetSymbolAddress(&at, taps); fill(at); blur<<<1, 1>>>(x, y, 1); }",
    [],
  ],
])("a constant %s", (_, host, left) => {
  expect(constantsLeft(kernel + host, "run").map(({ name }) => name)).toEqual(left);
});

test("a constant that no function reads is none", () => {
  expect(constantsLeft("__constant__ int unused[4];\nvoid run() { go(); }", "run")).toEqual([]);
});

test("variables of one declaration, of namespaces and with an alignment are told apart", () => {
  const text = `namespace ray { namespace { __constant__ __align__(16) float4 planes[6]; }
    __device__ __constant__ int width, *where, table[3][5]; }
    static __constant__ const double unit = 1.0;
    extern __constant__ struct Lens lens;`;
  expect(
    constantVariables(text).map(({ name, type, isArray, scopes }) => [
      scopes.concat(name).join("::"),
      type,
      isArray,
    ]),
  ).toEqual([
    ["ray::planes", "float4", true],
    ["ray::width", "int", false],
    ["ray::where", "int *", false],
    ["ray::table", "int", true],
    ["lens", "struct Lens", false],
  ]);
});
