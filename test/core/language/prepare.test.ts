import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareText } from "../../../server/core/language/cuda/prepare";

test.each([
  ["struct __align__(16) A {};", "struct alignas(16)   A {};"],
  ["__shared__ __attribute__((aligned(16))) char s[];", "__shared__                              char s[];"],
  ["__global__ void __cluster_dims__(2, 1, 1) k() {}", "__global__ void                           k() {}"],
  ["auto f = [=] __host__ __device__ (int i) {};", "auto f = [=]                     (int i) {};"],
  ["auto f = [&] __device__ { return 1; };", "auto f = [&]            { return 1; };"],
  ["__global__ LAUNCH_BOUNDS(256) void k() {}", "__global__                    void k() {}"],
  ["__global__ void\n__attribute__((x(\n1)))\nk() {}", "__global__ void\n                 \n    \nk() {}"],
  ["__global__ void BOUNDS(f(1), 2) k() {}", "__global__ void                 k() {}"],
  [
    "template <int N>\nBOUNDS_1(n())\n__global__ void k() {}",
    "template <int N>\n             \n__global__ void k() {}",
  ],
  ["int FOO(1); __global__ void K() {}", "int FOO(1); __global__ void K() {}"],
  ["__global__ void KERNEL(float* X) {}", "__global__ void KERNEL(float* X) {}"],
  ["__global__ void CUDAkernelDCT(float* x) {}", "__global__ void CUDAkernelDCT(float* x) {}"],
  ["__align__(", "__align__("],
  [
    "if (a) {}\n#ifdef B\nelse if (b) {}\n#endif\nelse {}",
    "if (a) {}\n        \nelse if (b) {}\n      \nelse {}",
  ],
  [
    "if (a) {\n#if B\n} else {\n#endif // B\n}\n#ifdef C\nint c;\n#endif",
    "if (a) {\n     \n} else {\n           \n}\n#ifdef C\nint c;\n#endif",
  ],
  ["#ifdef B\nelse {}\n#else\nelse {}\n#endif", "#ifdef B\nelse {}\n#else\nelse {}\n#endif"],
  [
    "for (;;) // rows\n  #pragma unroll\n  for (;;) a();",
    "for (;;) // rows\n                \n  for (;;) a();",
  ],
  [
    "if (a)\n#pragma unroll\nb();\nelse\n#pragma unroll 4\nc();",
    "if (a)\n              \nb();\nelse\n                \nc();",
  ],
  ["a();\n#pragma unroll\nfor (;;) b();", "a();\n#pragma unroll\nfor (;;) b();"],
  ['for (;;) _Pragma("unroll") for (;;) a();', "for (;;)                   for (;;) a();"],
  [
    "__global__ void __launch_bounds__(256) k(int A) {}",
    "__global__ void __launch_bounds__(256) k(int A) {}",
  ],
])("%j", (text, expected) => {
  expect(prepareText(text)).toBe(expected);
});

test("every offset stays true, whatever the text", () => {
  const piece = fc.constantFrom(
    "__global__ ",
    "void ",
    "__align__(",
    "__attribute__((",
    "(",
    ")",
    "))",
    "\n",
    "\r\n",
    "[=] ",
    "__device__ ",
    "{",
    "}",
    "MACRO(8) ",
    "k",
    "é",
    "𝕏",
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join("")),
      (text) => {
        const prepared = prepareText(text);
        expect(prepared.length).toBe(text.length);
        expect(prepared.replace(/[^\r\n]/g, "x")).toBe(text.replace(/[^\r\n]/g, "x"));
      },
    ),
  );
});
