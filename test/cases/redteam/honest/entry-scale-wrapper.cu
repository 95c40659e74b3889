// task: entry-scale
// does: checks each call, and launches through the runtime function

#include <cstdio>
#include <cstdlib>

#define CHECKED(call)                                                    \
  do {                                                                   \
    cudaError_t status = (call);                                         \
    if (status != cudaSuccess) {                                         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::abort();                                                      \
    }                                                                    \
  } while (0)

template <typename T>
__global__ void scale(const T* __restrict__ x, T* __restrict__ y, int n, T factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  float factor = 2.5f;
  void* arguments[] = {&x, &y, &n, &factor};
  const dim3 grid((n + 191) / 192), block(192);
  CHECKED(cudaLaunchKernel(reinterpret_cast<const void*>(scale<float>), grid, block, arguments, 0, nullptr));
  CHECKED(cudaGetLastError());
}
