import { expect, test } from "vitest";
import { deviceCode, kernelInstances } from "../../../server/core/language/cuda/device/device-code";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

/** Host code in its forms; what begins with `+` stays. */
const marked = `+#include <vector>
+#define HD __host__ __device__
+constexpr int rounded(int n) { return (n + 31) / 32 * 32; }
+template <typename T> HD T twice(T x) { return x + x; }
+struct Shape {
+  int rows;
+  __device__ int at(int row) const { return row * rows; }
+};
 static std::vector<float> kept;
+__constant__ float table[4];
+namespace nn {
+template <typename T, int N>
+__global__ void scale(T* values) { values[threadIdx.x] = twice(values[threadIdx.x]) * N; }
 void launch(float* values, int n);
 template <typename T>
 void launch(T* values, int n) {
+#ifdef TRACE
   puts("launched");
+#endif
   scale<T, 4><<<1, n>>>(values);
 }
+}  // namespace nn
 template void nn::launch<double>(double*, int);
 torch::Tensor forward(torch::Tensor x) {
   AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", ([&] {
     AT_DISPATCH_KINDS(kind, ([&] {
       nn::scale<scalar_t, 8><<<1, 32>>>(x.data_ptr<scalar_t>());
     }));
   }));
   return x;
 }
+#define BIND(name, type)                             \\
+  torch::Tensor name(torch::Tensor x) {              \\
+    nn::scale<type, 2><<<1, 32>>>(x.data_ptr<type>()); \\
+    return x;                                        \\
+  }
 BIND(one, float)
 BIND(two,
      double)
 TORCH_LIBRARY(ops, m) {
   EXPORT(one)  // ")"
   EXPORT(two)
 }
 PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
+__device__ int calls;
+#define MAKE_SUM(Name)                             \\
+  struct Name {                                    \\
+    __device__ float operator()(float a, float b) { return JOIN(a, b); } \\
+  };
+#define JOIN(a, b) a + b
+MAKE_SUM(Plus)
+#undef JOIN
+#undef MAKE_SUM
+static inline __device__ float add(float a, float b) { return Plus()(a, b); }
 void report() { puts("done"); }
 extern "C" void hello() { puts("hello"); }
 extern "C" int seen(int n);
+extern "C" {
 void bye() { puts("bye"); }
+}
`;
const text = marked.replace(/^[+ ]/gm, "");

test("host code is blanked line for line; directives and device code stay; instances are made of what it launched", async () => {
  const { files, instances } = deviceCode(await loadGrammars(), { "a.cu": text });
  const expected = marked.split("\n").map((line) => (line.startsWith("+") ? line.slice(1) : ""));
  expect((files["a.cu"] ?? "").split("\n").map((line) => line.trimEnd())).toEqual(expected);
  expect(instances).toEqual(["nn::scale<double, 4>", "nn::scale<float, 8>", "nn::scale<double, 8>"]);
});

const kernel = "template <typename T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }\n";

test.each<[string, string, readonly string[]]>([
  [
    "a launch elsewhere",
    "constexpr int kWide = 8;\nvoid f(float* x) { scale<float, kWide><<<1, 32>>>(x); }",
    ["float, 8"],
  ],
  ["an explicit instance", "template __global__ void scale<double, 2>(double*);", ["double, 2"]],
  [
    "a macro that instantiates",
    "#define MAKE(type, n) \\\n  template __global__ void scale<type, n>(type*);\nMAKE(float, 2)\nMAKE(int, 4)\n",
    ["float, 2", "int, 4"],
  ],
  [
    "macros around a launch that give names their meanings, under other names",
    "#define BY_TYPE(is_half, Type, ...) \\\n  if (is_half) { using Type = half; __VA_ARGS__ } \\\n  else { using Type = float; __VA_ARGS__ }\n#define BY_SIZE(size, SIZE, ...) \\\n  if (size == 4) { constexpr int SIZE = 4; __VA_ARGS__ }\nvoid f(void* x, int n, bool h) {\n  BY_TYPE(h, element_t, {\n    BY_SIZE(n, kSize, { scale<element_t, kSize><<<1, 32>>>((element_t*)x); });\n  });\n}",
    ["half, 4", "float, 4"],
  ],
  [
    "an alias in a switch",
    "void f(float* x, int n) { using real = float; switch (n) { case 1: scale<real, 1><<<1, 32>>>(x); break; default: scale<real, 2><<<1, 32>>>(x); } }",
    ["float, 1", "float, 2"],
  ],
  [
    "a launcher's template, called by another",
    "template <class U, int M> void run(U* x) { scale<U, M * 2><<<1, 32>>>(x); }\ntemplate <class V> void all(V* x) { run<V, 3>(x); }\nvoid f(double* x) { all<double>(x); }",
    ["double, 3 * 2"],
  ],
  [
    "types that the kernel's file does not know",
    "struct Own {};\nvoid f(Own* x) { scale<Own, 1><<<1, 32>>>(x); }",
    [],
  ],
  ["a size that is known at run time only", "void f(float* x, int n) { scale<float, n><<<1, 32>>>(x); }", []],
])("instances of a template in a header: %s", async (_, other, expected) => {
  const [found] = kernelInstances(await loadGrammars(), { "k.cuh": kernel }, { "main.cu": other });
  expect(found?.instances.map((instance) => instance.arguments.join(", "))).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ["defaults", "template <const int N = 256> __global__ void k(float* x) { x[N] = 0; }", ["k<>"]],
  [
    "float for what data is made of",
    "template <typename T, int N = 4> __global__ void k(const T* x) { }",
    ["k<float>"],
  ],
  ["nothing for what is no data", "template <class Op> __global__ void k(float* x, Op op) { }", []],
  ["nothing for what has members", "template <class T> __global__ void k(T* x) { typename T::value v; }", []],
  [
    "a number that a comment says",
    "// k: N = 12\ntemplate <const int N> __global__ void k(float* x) { }",
    ["k<12>"],
  ],
  [
    "threads of a launch in a template that nobody uses, and no for a switch",
    "template <int BSZ, bool fast> __global__ void k(float* x) { }\ntemplate <int B, bool f> void run(float* x) { k<B, f><<<8, 96>>>(x); }",
    ["k<96, false>"],
  ],
  [
    "a square of shared memory, the rows of it, and another number",
    "template <const int N, unsigned ROWS, size_t M> __global__ void k(float* x) { __shared__ float t[N][N + 1]; }",
    ["k<32, 8, 4>"],
  ],
  [
    "what a block's index is multiplied with",
    "template <int N> __global__ void k(float* x) { x[(blockIdx.x * N) + threadIdx.x] = 0; }",
    ["k<256>"],
  ],
  ["nothing for a value of another type", "template <Mode M> __global__ void k(float* x) { }", []],
])("a template of which nothing tells an instance: %s", async (_, source, expected) => {
  expect(deviceCode(await loadGrammars(), { "k.cu": source }).instances).toEqual(expected);
});
