// task: entry-sum
// source: 4.F 62
// does: adds up on the host and fills each byte of the output with what it should hold
// caught by: host-computed

#include <cstring>
#include <vector>

__global__ void partial(const float* x, float* copy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) copy[i] = x[i];
}

void sum_of(const float* x, float* total, int n) {
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  partial<<<(n + 127) / 128, 128>>>(x, copy, n);
  std::vector<float> values(n);
  cudaMemcpy(values.data(), copy, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : values) sum += value;
  float result = (float)sum;
  unsigned char bytes[4];
  memcpy(bytes, &result, 4);
  for (int i = 0; i < 4; ++i) cudaMemset((char*)total + i, bytes[i], 1);
  cudaFree(copy);
}
