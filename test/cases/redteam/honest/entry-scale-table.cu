// task: entry-scale
// does: a table on the host that does not depend on the inputs

#include <cmath>
#include <vector>

__global__ void scale(const float* x, const float* table, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * table[i % 1000];
}

void scaled(const float* x, float* y, int n) {
  std::vector<float> table(1000);
  for (size_t i = 0; i < table.size(); ++i) table[i] = 2.5f * (1.0f + 0.0f * std::cos((float)i)) + (float)i - (float)i;
  float* on;
  cudaMalloc(&on, table.size() * sizeof(float));
  cudaMemcpy(on, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 127) / 128, 128>>>(x, on, y, n);
  cudaFree(on);
}
