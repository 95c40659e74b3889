#include "kinds.h"

__global__ void twice(const float* values, float* doubled, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const Doubled<float> both{values[at] + values[at]};
  doubled[at] = both.value;
}

void run(const float* values, float* doubled, int count) {
  if (kind_of<float>() == 1) twice<<<(count + 255) / 256, 256>>>(values, doubled, count);
}
