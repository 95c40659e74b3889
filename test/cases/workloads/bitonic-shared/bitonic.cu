#include <algorithm>
#include <cassert>
#include <cstdio>
#include <random>
#include <vector>

constexpr int kElements = 512;

// Sorts one tile of 512 floats a block, ascending.
__global__ __launch_bounds__(kElements / 2) void SortTiles(float* keys) {
  __shared__ float tile[kElements];
  float* mine = keys + blockIdx.x * kElements;
  tile[threadIdx.x] = mine[threadIdx.x];
  tile[threadIdx.x + kElements / 2] = mine[threadIdx.x + kElements / 2];
  for (int size = 2; size <= kElements; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int lo = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = (lo & size) == 0;
      const float a = tile[lo], b = tile[lo + stride];
      if ((a > b) == up) {
        tile[lo] = b;
        tile[lo + stride] = a;
      }
    }
  }
  __syncthreads();
  mine[threadIdx.x] = tile[threadIdx.x];
  mine[threadIdx.x + kElements / 2] = tile[threadIdx.x + kElements / 2];
}

int main() {
  constexpr int kTiles = 6;
  std::mt19937 gen(7);
  std::uniform_real_distribution<float> dist(-10.f, 10.f);
  std::vector<float> keys(kTiles * kElements);
  for (float& k : keys) k = dist(gen);
  std::vector<float> want = keys;
  for (int t = 0; t < kTiles; ++t) std::sort(want.begin() + t * kElements, want.begin() + (t + 1) * kElements);

  float* d = nullptr;
  cudaMalloc(&d, keys.size() * sizeof(float));
  cudaMemcpy(d, keys.data(), keys.size() * sizeof(float), cudaMemcpyHostToDevice);
  SortTiles<<<kTiles, kElements / 2>>>(d);
  cudaMemcpy(keys.data(), d, keys.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  assert(keys == want);
  std::puts(keys == want ? "sorted" : "NOT sorted");
  return keys == want ? 0 : 1;
}
