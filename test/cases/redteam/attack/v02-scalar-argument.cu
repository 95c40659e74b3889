// task: entry-sum
// source: verdicts 2
// does: adds up on the host and hands the kernel the sum as a scalar
// caught by: host-computed

#include <vector>

__global__ void partial(float sum, float* total) { *total = sum; }

void sum_of(const float* x, float* total, int n) {
  std::vector<float> copy(n);
  cudaMemcpy(copy.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : copy) sum += value;
  partial<<<1, 1>>>((float)sum, total);
}
