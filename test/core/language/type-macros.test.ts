import { expect, test } from "vitest";
import { withPlainParameters } from "../../../server/core/language/cuda/type-macros";

const roles = `#define NOALIAS __restrict__
#define IN(T) const T* NOALIAS
#define OUT(T) T* NOALIAS
#define SIZE(name) int name
#define PAIR(K, V) std::pair<K, V>
#define BUFFERS const float* x, \\
                float* y
#define N 256
#define SQUARE(v) ((v) * (v))
#define NOTHING
#define LOOP(T) T LOOP
`;

test.each([
  [
    "__global__ void k(IN(float) a, OUT(float) b) {",
    "__global__ void k(const float* __restrict__ a, float* __restrict__ b) {",
  ],
  [
    "__global__ void k(IN(unsigned char)\n  a) {}",
    "__global__ void k(const unsigned char* __restrict__\n  a) {}",
  ],
  ["void k(BUFFERS, SIZE(n))\n{}", "void k(const float* x, float* y, int n)\n{}"],
  [
    "void k(float* NOTHING a, PAIR(int, IN(char)) *b) {}",
    "void k(float*  a, std::pair<int, const char* __restrict__> *b) {}",
  ],
  ["void k(IN (float) a) {}", "void k(const float* __restrict__ a) {}"],
  // What stands for a value, and what stands elsewhere, stays as it is.
  ["void k(float (*a)[N], int n = SQUARE(2)) {}", "void k(float (*a)[N], int n = SQUARE(2)) {}"],
  ["void k(float* a) { IN(float) b = a; f(N); }", "void k(float* a) { IN(float) b = a; f(N); }"],
  ["#define KERNEL(a) void k(IN(float) a) {", "#define KERNEL(a) void k(IN(float) a) {"],
  ["void k(UNKNOWN(float) a) {}", "void k(UNKNOWN(float) a) {}"],
  ["void k(LOOP(int) a) {}", "void k(int LOOP a) {}"],
  ["void k(IN a) {", "void k(IN a) {"],
])("%j", (text, plain) => {
  expect(withPlainParameters(text, [roles])).toBe(plain);
});

test("without macros the text is the same", () => {
  expect(withPlainParameters("void k(IN(float) a) {}", [])).toBe("void k(IN(float) a) {}");
});
