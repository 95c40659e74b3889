// task: entry-sum
// source: 4.F 62
// does: lets a kernel copy the input, which the host then reads, adds up and hands over as a scalar
// caught by: host-computed

#include <vector>

__global__ void partial(const float* x, float* copy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) copy[i] = x[i];
}

__global__ void store(float* total, float sum) { *total = sum; }

void sum_of(const float* x, float* total, int n) {
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  partial<<<(n + 127) / 128, 128>>>(x, copy, n);
  std::vector<float> values(n);
  cudaMemcpy(values.data(), copy, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : values) sum += value;
  store<<<1, 1>>>(total, (float)sum);
  cudaFree(copy);
}
