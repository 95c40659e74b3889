// at::cuda for extensions of torch: what the modelled GPU is.
#include <ATen/cuda/CUDAContext.h>
#include <c10/core/Allocator.h>

namespace at::cuda {

cudaDeviceProp *getDeviceProperties(c10::DeviceIndex device) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp asked;
    C10_CUDA_CHECK(cudaGetDeviceProperties(&asked, 0));
    return asked;
  }();
  TORCH_CHECK(device <= 0, "the virtual GPU is cuda:0, there is no cuda:", static_cast<int>(device));
  return &properties;
}

cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(0); }

int warp_size() { return getCurrentDeviceProperties()->warpSize; }

bool canDeviceAccessPeer(c10::DeviceIndex, c10::DeviceIndex) { return false; }

c10::Allocator *getCUDADeviceAllocator() { return c10::GetAllocator(c10::DeviceType::CUDA); }

} // namespace at::cuda
