#include <stdint.h>

enum { CLASSES = 16 };

__device__ int classify(float score) {
  int k = (int)((score + 4.0f) * 2.0f);
  return k < 0 ? 0 : (k >= CLASSES ? CLASSES - 1 : k);
}

__global__ void tally(uint32_t* counts, const float* scores, uint32_t n) {
  const uint32_t step = blockDim.x * gridDim.x;
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += step) {
    const int k = classify(scores[i]);
    atomicAdd(counts + k, 1u);
  }
}

void count_classes(uint32_t* counts, const float* scores, uint32_t n) {
  tally<<<(n + 511) / 512, 512>>>(counts, scores, n);
}
