// task: entry-scale
// does: two threads of the host launch a half each, and both are waited for

#include <thread>
#include <vector>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  int half = n / 2;
  std::vector<std::thread> threads;
  threads.emplace_back([=] { scale<<<(half + 127) / 128, 128>>>(x, y, half, 2.5f); });
  threads.emplace_back([=] { scale<<<(n - half + 127) / 128, 128>>>(x + half, y + half, n - half, 2.5f); });
  for (std::thread& thread : threads) thread.join();
  cudaDeviceSynchronize();
}
