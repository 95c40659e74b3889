// task: entry-scale
// source: 4.F 65
// does: computes three quarters on the GPU and the rest on the host, in one copy of both
// caught by: host-computed

#include <vector>

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f;
}

void scaled(const float* x, float* y, int n) {
  int part = n / 4 * 3;
  std::vector<float> values(n);
  scale<<<(part + 127) / 128, 128>>>(x, y, part);
  cudaMemcpy(values.data(), y, part * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(values.data() + part, x + part, (n - part) * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = part; i < n; ++i) values[i] *= 2.5f;
  cudaMemcpy(y, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
