#include <cuda_runtime.h>
#define TILE 32
#define GLOBAL_VOID __global__ void
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
constexpr int ROWS = TILE / 4;
static const int kWarps = 4, kThreads = kWarps * 32;

struct __align__(16) Pack { float x[4]; };
extern __shared__ __attribute__((aligned(16))) unsigned char dynamic[];

namespace nn { namespace inner {
template <typename T, int N = 4>
__global__ void __launch_bounds__(256, 2) scale(T* __restrict__ out, const T* in, int n, float a = 1.0f) {
  for (int i = 0; i < n; ++i) out[i] = in[i] * a;
}
}}

extern "C" __global__ void plain(const float *x, float y[], const int n, float* const fixed, float const* also) { }
extern "C" {
__global__ __launch_bounds__(kThreads) void bounded(float4 const* __restrict__ x) { }
}
static __global__ void odd(unsigned int n, const __half *h, float (*callback)(float)) {}
__global__ void only_declared(const float* x);
GLOBAL_VOID by_macro(float* x, int n) { x[0] = n; }
__global__ void SOME_BOUNDS(256) with_macro(float* x) { x[0] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(float* x, Pack p) { x[0] = p.x[0]; }
__device__ float helper(float x) { return x; }

void launch(const float* a, float* b, int n, cudaStream_t s) {
  const int threads = 256;
  const size_t bytes = threads * sizeof(float);
  dim3 block(16, ROWS);
  dim3 grid((n + 15) / 16, CEIL_DIV(n, TILE), 1);
  dim3 assigned;
  assigned.x = n / 2;
  dim3 copied = dim3(4, 5);
  auto inferred = dim3{6, 7};
  dim3 vexing(n);
  int changing = 3;
  changing += 1;
  nn::inner::scale<float, 4><<<grid, block, bytes, s>>>(b, a, n, 2.0f);
  plain<<<(n + threads - 1) / threads, kThreads>>>(a, b, n, b, a);
  bounded<<<assigned, copied>>>(nullptr);
  odd<<<inferred, vexing>>>(changing, nullptr, nullptr);
  by_macro<<<dim3(n, TILE), changing>>>(b, n);
  auto function = [=] __device__ (int i) { return i; };
  clustered<<<{n, 1}, ROWS>>>(b, {});
}
