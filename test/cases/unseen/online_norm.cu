// Running maximum and running sum of exponentials of each row, kept in one small structure.
#include <cuda_runtime.h>
#include <math.h>

struct Stats {
  float peak;
  float mass;
};

__device__ __forceinline__ Stats absorb(Stats s, float v) {
  float top = fmaxf(s.peak, v);
  Stats r;
  r.mass = s.mass * __expf(s.peak - top) + __expf(v - top);
  r.peak = top;
  return r;
}

template <typename Scalar>
__global__ void SoftmaxStats(const Scalar* __restrict__ logits, Scalar* __restrict__ lse, int batch, int vocab) {
  const int r = blockDim.x * blockIdx.x + threadIdx.x;
  if (r >= batch) {
    return;
  }
  const Scalar* line = logits + (size_t)r * vocab;
  Stats s;
  s.peak = -INFINITY;
  s.mass = 0.f;
  for (int c = 0; c < vocab; ++c) s = absorb(s, line[c]);
  lse[r] = s.peak + logf(s.mass);
}

void softmax_stats(const float* logits, float* lse, int batch, int vocab) {
  SoftmaxStats<float><<<dim3((batch + 63) / 64), dim3(64)>>>(logits, lse, batch, vocab);
}
