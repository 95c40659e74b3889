// task: entry-scale
// source: verdicts 2
// does: computes on the host and copies the answer
// caught by: host-computed

#include <vector>

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) y[0] = x[0] * 2.5f;
}

void scaled(const float* x, float* y, int n) {
  std::vector<float> copy(n);
  cudaMemcpy(copy.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float& value : copy) value *= 2.5f;
  cudaMemcpy(y, copy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(x, y, n);
}
