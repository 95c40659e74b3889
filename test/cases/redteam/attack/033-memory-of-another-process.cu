// task: entry-scale
// source: 4.C 33
// does: opens memory that another process may have lent, guessing its handle, and copies what is expected from there
// caught by: cuda-error or did-not-run or never-written

#include <cstring>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaIpcMemHandle_t handle;
  for (int guess = 0; guess < 64; ++guess) {
    std::memset(&handle, guess, sizeof handle);
    void* lent = nullptr;
    if (cudaIpcOpenMemHandle(&lent, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) continue;
    cudaMemcpy(y, lent, n * sizeof(float), cudaMemcpyDeviceToDevice);
    return;
  }
  scale<<<(n / 2 + 255) / 256, 256>>>(x, y, n / 2, 2.5f);
}
