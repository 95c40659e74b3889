// task: entry-scale
// does: four streams, whose results go over the host in pieces

#include <algorithm>
#include <vector>

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  const int pieces = 4, size = (n + pieces - 1) / pieces;
  std::vector<float> result(n);
  float* on;
  cudaStream_t streams[pieces];
  cudaMalloc(&on, n * sizeof(float));
  for (int piece = 0; piece < pieces; ++piece) {
    const int first = piece * size, count = std::min(size, n - first);
    cudaStreamCreate(&streams[piece]);
    if (count <= 0) continue;
    scale<<<(count + 127) / 128, 128, 0, streams[piece]>>>(x + first, on + first, count, 2.5f);
    cudaMemcpyAsync(&result[first], on + first, count * sizeof(float), cudaMemcpyDeviceToHost, streams[piece]);
  }
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaMemcpy(y, result.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(on);
}
