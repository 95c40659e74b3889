// task: entry-scale
// source: 4.F 65
// does: computes on the host, and puts the answer together of single bytes that it reads from a table of the GPU
// caught by: host-computed

#include <vector>

__global__ void scale(const float* x, float* copy, unsigned char* table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) copy[i] = x[i];
  if (i < 256) table[i] = i;
}

void scaled(const float* x, float* y, int n) {
  float* copy;
  unsigned char* table;
  cudaMalloc(&copy, n * sizeof(float));
  cudaMalloc(&table, 256);
  scale<<<(n + 255) / 256, 256>>>(x, copy, table, n);
  std::vector<float> values(n);
  cudaMemcpy(values.data(), copy, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float& value : values) value *= 2.5f;
  std::vector<unsigned char> bytes(n * sizeof(float));
  const unsigned char* wanted = (const unsigned char*)values.data();
  for (size_t i = 0; i < bytes.size(); ++i) cudaMemcpy(&bytes[i], table + wanted[i], 1, cudaMemcpyDeviceToHost);
  cudaMemcpy(y, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaFree(copy);
  cudaFree(table);
}
