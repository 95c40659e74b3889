// Blends two pictures on the device, and tells the caller how long that took.
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

struct Stopwatch {
  cudaEvent_t from, to;
  Stopwatch() {
    GPU_OK(cudaEventCreate(&from));
    GPU_OK(cudaEventCreate(&to));
  }
  ~Stopwatch() {
    cudaEventDestroy(from);
    cudaEventDestroy(to);
  }
  void begin() { GPU_OK(cudaEventRecord(from)); }
  float end() {
    float span = 0.0f;
    GPU_OK(cudaEventRecord(to));
    GPU_OK(cudaEventSynchronize(to));
    GPU_OK(cudaEventElapsedTime(&span, from, to));
    return span;
  }
};

__global__ void blend(const float* front, const float* back, float* mixed, float share, int pixels) {
  int pixel = blockDim.x * blockIdx.x + threadIdx.x;
  if (pixel < pixels) mixed[pixel] = share * front[pixel] + (1.0f - share) * back[pixel];
}

void blend_pictures(int pixels, float share, const std::vector<float>& front, const std::vector<float>& back,
                    std::vector<float>& mixed, float* took) {
  size_t bytes = pixels * sizeof(float);
  float *dev_front, *dev_back, *dev_mixed;
  GPU_OK(cudaMalloc(&dev_front, bytes));
  GPU_OK(cudaMalloc(&dev_back, bytes));
  GPU_OK(cudaMalloc(&dev_mixed, bytes));
  GPU_OK(cudaMemcpy(dev_front, front.data(), bytes, cudaMemcpyHostToDevice));
  GPU_OK(cudaMemcpy(dev_back, back.data(), bytes, cudaMemcpyHostToDevice));
  Stopwatch watch;
  watch.begin();
  blend<<<(pixels + 127) / 128, 128>>>(dev_front, dev_back, dev_mixed, share, pixels);
  *took = watch.end();
  mixed.resize(pixels);
  GPU_OK(cudaMemcpy(mixed.data(), dev_mixed, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_front);
  cudaFree(dev_back);
  cudaFree(dev_mixed);
}
