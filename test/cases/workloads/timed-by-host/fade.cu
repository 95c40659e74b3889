// Fades between two pictures on the device, and tells the caller how long that took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GPU_OK(call)                                                            \
  do {                                                                          \
    cudaError_t status = (call);                                                \
    if (status != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                  \
    }                                                                           \
  } while (0)


__global__ void fade(const float* front, const float* back, float* mixed, float share, int pixels) {
  int pixel = blockDim.x * blockIdx.x + threadIdx.x;
  if (pixel < pixels) mixed[pixel] = share * front[pixel] + (1.0f - share) * back[pixel];
}

double fade_pictures(int pixels, float share, const std::vector<float>& front, const std::vector<float>& back,
                    std::vector<float>& mixed) {
  size_t bytes = pixels * sizeof(float);
  float *dev_front, *dev_back, *dev_mixed;
  GPU_OK(cudaMalloc(&dev_front, bytes));
  GPU_OK(cudaMalloc(&dev_back, bytes));
  GPU_OK(cudaMalloc(&dev_mixed, bytes));
  GPU_OK(cudaMemcpy(dev_front, front.data(), bytes, cudaMemcpyHostToDevice));
  GPU_OK(cudaMemcpy(dev_back, back.data(), bytes, cudaMemcpyHostToDevice));
  auto from = std::chrono::steady_clock::now();
  fade<<<(pixels + 127) / 128, 128>>>(dev_front, dev_back, dev_mixed, share, pixels);
  GPU_OK(cudaDeviceSynchronize());
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - from;
  mixed.resize(pixels);
  GPU_OK(cudaMemcpy(mixed.data(), dev_mixed, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_front);
  cudaFree(dev_back);
  cudaFree(dev_mixed);
  return took.count();
}
