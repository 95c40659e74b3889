//@case {"kernel": "sums", "facts": {"registers": 64, "spillStoreBytes": 360, "spillLoadBytes": 340}}
#define THREADS 128
enum { BLOCKS = 8 };
template <int N>
__device__ __forceinline__ void walk(const float* x, float (&sum)[N]) {
#pragma unroll
  for (int k = 0; k < N; ++k) sum[k] = fmaf(x[k], sum[(k + 7) % N], sum[k]);
}
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) sums(const float* x, float* y, int n) {
  float sum[96] = {};
  sum[0] = 1.0f;
  for (int step = 0; step < n; ++step) walk(x + step, sum); //@ instructions=90000
#pragma unroll
  for (int k = 0; k < 96; ++k) y[k * THREADS + threadIdx.x] = sum[k];
}
