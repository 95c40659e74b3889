// Cumulative water uptake along each root: program.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

__global__ void uptake(const float* flux, const float* dz, float* cumulative, int roots, int nodes) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= roots * nodes) return;
  int root = idx / nodes;
  int node = idx - root * nodes;
  float acc = 0.f;
  for (int k = 0; k <= node; k++) {
    acc += flux[root * nodes + k] * dz[k];
  }
  cumulative[idx] = acc;
}

int main() {
  const int roots = 256, nodes = 512;
  std::vector<float> flux(roots * nodes), dz(nodes), out(roots * nodes);
  for (int i = 0; i < roots * nodes; i++) flux[i] = (float)(rand() % 1000) / 1000.f;
  for (int i = 0; i < nodes; i++) dz[i] = 0.01f + 0.0001f * i;
  float *f, *d, *c;
  cudaMalloc(&f, flux.size() * 4);
  cudaMalloc(&d, dz.size() * 4);
  cudaMalloc(&c, out.size() * 4);
  cudaMemcpy(f, flux.data(), flux.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d, dz.data(), dz.size() * 4, cudaMemcpyHostToDevice);
  uptake<<<(roots * nodes + 255) / 256, 256>>>(f, d, c, roots, nodes);
  cudaMemcpy(out.data(), c, out.size() * 4, cudaMemcpyDeviceToHost);
  double s = 0;
  for (float v : out) s += v;
  printf("checksum %.3f\n", s);
  cudaFree(f); cudaFree(d); cudaFree(c);
  return 0;
}
