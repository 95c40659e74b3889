// task: entry-sum
// source: verdicts 2
// does: adds up on the host and hands the kernel the sum by constant memory
// caught by: host-computed

#include <vector>

__constant__ float answer;

__global__ void partial(const float* x, float* parts, int n) {
  if (threadIdx.x == 0) parts[0] = answer;
}

void sum_of(const float* x, float* total, int n) {
  std::vector<float> values(n);
  cudaMemcpy(values.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0.0f;
  for (float value : values) sum += value;
  cudaMemcpyToSymbol(answer, &sum, sizeof(float));
  partial<<<1, 32>>>(x, total, n);
}
