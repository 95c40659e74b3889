// What host code around plain pointers uses of PyTorch's headers: streams, guards and checks, for functions
// that are compiled without PyTorch, behind `torch.h`. Of tensors there is the name alone.
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#define KERNELWRIGHT_CHECK(condition, words) \
  do {                                       \
    if (!(condition)) throw std::runtime_error(words); \
  } while (false)
#define TORCH_CHECK(condition, ...) KERNELWRIGHT_CHECK(condition, "TORCH_CHECK failed: " #condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) KERNELWRIGHT_CHECK(condition, "assertion failed: " #condition)
#define AT_ASSERT(condition, ...) KERNELWRIGHT_CHECK(condition, "AT_ASSERT failed: " #condition)
#define AT_ASSERTM(condition, ...) KERNELWRIGHT_CHECK(condition, "AT_ASSERTM failed: " #condition)
#define AT_CHECK(condition, ...) KERNELWRIGHT_CHECK(condition, "AT_CHECK failed: " #condition)
#define AT_ERROR(...) throw std::runtime_error("AT_ERROR: " #__VA_ARGS__)
#define C10_CUDA_CHECK(call)                                                          \
  do {                                                                                \
    const cudaError_t kernelwright_status = (call);                                   \
    KERNELWRIGHT_CHECK(kernelwright_status == cudaSuccess, cudaGetErrorString(kernelwright_status)); \
  } while (false)
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define THCudaCheck(call) C10_CUDA_CHECK(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

namespace c10 {
using DeviceIndex = signed char;

namespace cuda {

/// There is one stream, the default one.
struct CUDAStream {
  cudaStream_t stream() const { return nullptr; }
  operator cudaStream_t() const { return stream(); }
  DeviceIndex device_index() const { return 0; }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream())); }
};

inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return {}; }
inline DeviceIndex current_device() { return 0; }
inline DeviceIndex device_count() { return 1; }

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  void set_index(DeviceIndex) {}
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(DeviceIndex) {}
  void set_index(DeviceIndex) {}
};

}  // namespace cuda
}  // namespace c10

namespace at {
class Tensor;
class TensorBase;
struct TensorOptions;
namespace cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::OptionalCUDAGuard;

inline cudaDeviceProp *getDeviceProperties(c10::DeviceIndex device) {
  static cudaDeviceProp properties;
  C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return &properties;
}
inline cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(0); }
inline int warp_size() { return 32; }
}  // namespace cuda
}  // namespace at

// Declared alone: functions that take or return a tensor may be declared beside one that does not.
namespace torch {
using at::Tensor;
using at::TensorOptions;
}  // namespace torch
