// task: entry-scale
// does: asks once for the GPU's properties and caches them, as libraries do, and throws where a call fails

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>

namespace detail {
void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

const cudaDeviceProp& properties() {
  static cudaDeviceProp known;
  static std::once_flag once;
  std::call_once(once, [] {
    int device = 0;
    require(cudaGetDevice(&device), "cudaGetDevice");
    require(cudaGetDeviceProperties(&known, device), "cudaGetDeviceProperties");
  });
  return known;
}
}  // namespace detail

__global__ void scale(const float* x, float* y, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  const cudaDeviceProp& gpu = detail::properties();
  const int threads = gpu.major >= 8 ? 256 : 128;
  const int fitting = gpu.multiProcessorCount * (gpu.maxThreadsPerMultiProcessor / threads);
  scale<<<std::max(1, std::min(fitting, (n + threads - 1) / threads)), threads>>>(x, y, n, 2.5f);
  detail::require(cudaGetLastError(), "scale");
}
