// task: entry-scale
// does: a launch by an array of arguments, whose errors become exceptions

#include <memory>
#include <stdexcept>
#include <string>

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

struct Destroy {
  void operator()(CUstream_st* stream) const noexcept { cudaStreamDestroy(stream); }
};

using Stream = std::unique_ptr<CUstream_st, Destroy>;

Stream made() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

}  // namespace

__global__ void scale(const float* __restrict__ x, float* __restrict__ y, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  Stream stream = made();
  float factor = 2.5f;
  void* arguments[] = {&x, &y, &n, &factor};
  check(cudaLaunchKernel((const void*)scale, dim3(32), dim3(256), arguments, 0, stream.get()), "cudaLaunchKernel");
  check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
}
