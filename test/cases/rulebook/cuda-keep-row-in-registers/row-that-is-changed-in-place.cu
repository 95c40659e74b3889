//@case {"kernel": "add_norm", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["residual", "branch", "gamma", "out", "tokens", "hidden"]}}, "shapes": [{"sizes": {"tokens": 64, "hidden": 1000}}]}}
#include <cuda_fp16.h>
#define THREADS 256
__device__ float block_sum(float v) {
  __shared__ float parts[THREADS / 32];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = v;
  __syncthreads();
  float total = 0.f;
  for (int w = 0; w < THREADS / 32; ++w) total += parts[w];
  return total;
}
__global__ void add_norm(__half* residual, const __half* branch, const __half* gamma, __half* out, int hidden) {
  const size_t base = static_cast<size_t>(blockIdx.x) * hidden;
  float ss = 0.f;
  for (int i = threadIdx.x; i < hidden; i += THREADS) {
    const __half r = __hadd(residual[base + i], branch[base + i]); //@ globalLoadSectors=4000
    residual[base + i] = r;
    const float f = __half2float(r);
    ss += f * f;
  }
  const float inv = rsqrtf(block_sum(ss) / hidden + 1e-5f);
  for (int i = threadIdx.x; i < hidden; i += THREADS) {
    const float f = __half2float(residual[base + i]); //@ globalLoadSectors=2000
    out[base + i] = __float2half(f * inv * __half2float(gamma[i])); //@ globalStoreSectors=2000
  }
}
void run(__half* residual, const __half* branch, const __half* gamma, __half* out, int tokens, int hidden) {
  add_norm<<<tokens, 256>>>(residual, branch, gamma, out, hidden);
}
