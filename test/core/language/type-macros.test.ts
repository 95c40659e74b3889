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

const names = `template <typename T, size_t N>  // of any rank
using Acc = torch::PackedTensorAccessor32<T, N, torch::RestrictPtrTraits>;
namespace io {
template <class T> using In = const T* __restrict__;
template <typename T = float, typename U = T>
using Pair = std::pair<T, U>;
struct Kinds { template <class T> using Out = T*; };
using Row = Acc<float, 1>;
}
typedef Acc<double, 2> Bit;
using Real = float;
template <class... T> using Any = std::tuple<T...>;
template <class T> using Held = decltype(T());
template <class T> using Twice = T*;
template <class T> using Twice = const T*;
`;

test.each([
  [
    "void k(const Acc<scalar_t, 3> a, Acc<float,\n  (1 > 2)>\n b) {}",
    "void k(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> a, " +
      "torch::PackedTensorAccessor32<float, (1 > 2), torch::RestrictPtrTraits>\n\n b) {}",
  ],
  // What is const is the pointer.
  [
    "void k(io::In<float> a, const typename io::Kinds::Out<float> b) {}",
    "void k(const float* __restrict__ a, float* const b) {}",
  ],
  ["void k(const ::io::In<float> a) {}", "void k(const float* __restrict__ const a) {}"],
  [
    "void k(Pair<> a, Pair<int> b, Pair<In<char>, Pair<int, short>> c) {}",
    "void k(std::pair<float, float> a, std::pair<int, int> b, " +
      "std::pair<const char* __restrict__, std::pair<int, short>> c) {}",
  ],
  [
    "void k(const io::Row a, Bit b) {}",
    "void k(const torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> a, " +
      "torch::PackedTensorAccessor32<double, 2, torch::RestrictPtrTraits> b) {}",
  ],
  // What two texts say otherwise, or what is no plain type, stays; so do names of plain types.
  [
    "void k(Real a, Any<int> b, Held<int> c, Twice<int> d, int Acc, int In) {}",
    "void k(Real a, Any<int> b, Held<int> c, Twice<int> d, int Acc, int In) {}",
  ],
])("other names of types: %j", (text, plain) => {
  expect(withPlainParameters(text, [names])).toBe(plain);
});

test("without macros the text is the same", () => {
  expect(withPlainParameters("void k(IN(float) a) {}", [])).toBe("void k(IN(float) a) {}");
});
