// task: entry-scale
// does: two buffers of pinned memory, which pieces of the result pass in turns

#include <algorithm>
#include <cstring>
#include <vector>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  const int size = 512;
  float *on[2], *pinned[2];
  cudaStream_t streams[2];
  for (int s = 0; s < 2; ++s) {
    cudaMalloc(&on[s], size * sizeof(float));
    cudaMallocHost(&pinned[s], size * sizeof(float));
    cudaStreamCreate(&streams[s]);
  }
  std::vector<float> result(n);
  const int pieces = (n + size - 1) / size;
  for (int piece = 0; piece < pieces + 1; ++piece) {
    const int s = piece % 2, before = (piece + 1) % 2;
    const int first = piece * size, count = std::min(size, n - first);
    if (piece < pieces) {
      scale<<<(count + 127) / 128, 128, 0, streams[s]>>>(x + first, on[s], count, 2.5f);
      cudaMemcpyAsync(pinned[s], on[s], count * sizeof(float), cudaMemcpyDeviceToHost, streams[s]);
    }
    if (piece == 0) continue;
    cudaStreamSynchronize(streams[before]);
    memcpy(&result[first - size], pinned[before], std::min(size, n - first + size) * sizeof(float));
  }
  cudaMemcpy(y, result.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int s = 0; s < 2; ++s) {
    cudaFree(on[s]);
    cudaFreeHost(pinned[s]);
    cudaStreamDestroy(streams[s]);
  }
}
