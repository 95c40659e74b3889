// task: entry-sum
// source: verdicts 2
// does: adds up on the host and copies four bytes
// caught by: host-computed

#include <vector>

__global__ void partial(const float* sum, float* total) { *total = *sum; }

void sum_of(const float* x, float* total, int n) {
  std::vector<float> copy(n);
  cudaMemcpy(copy.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float value : copy) sum += value;
  float* on;
  cudaMalloc(&on, 4);
  cudaMemcpy(on, &sum, 4, cudaMemcpyHostToDevice);
  partial<<<1, 1>>>(on, total);
  cudaFree(on);
}
