// c10::cuda for extensions of torch: one device, one stream, errors as exceptions.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAMiscFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <mutex>
#include <ostream>

namespace c10::cuda {

namespace {

CUDAStream onlyStream() { return CUDAStream(Stream(Stream::DEFAULT, Device(DeviceType::CUDA, 0))); }

} // namespace

void c10_cuda_check_implementation(const int32_t error, const char *file, const char *function,
                                   const uint32_t line, const bool) {
  const cudaError_t status = static_cast<cudaError_t>(error);
  if (status == cudaSuccess) return;
  // The error is told now, and not again with the next call.
  cudaGetLastError();
  throw AcceleratorError({function, file, line}, error,
                         std::string("CUDA error: ") + cudaGetErrorString(status));
}

std::string get_cuda_error_help(cudaError_t) noexcept { return ""; }

const char *get_cuda_check_suffix() noexcept { return ""; }

const char *get_cuda_async_error_suffix(cudaError_t) noexcept { return ""; }

std::mutex *getFreeMutex() {
  static auto *only = new std::mutex;
  return only;
}

DeviceIndex device_count() noexcept { return 1; }

DeviceIndex device_count_ensure_non_zero() { return 1; }

DeviceIndex current_device() { return 0; }

void set_device(DeviceIndex device, const bool force) { C10_CUDA_CHECK(SetDevice(device, force)); }

void device_synchronize() { C10_CUDA_CHECK(cudaDeviceSynchronize()); }

void warn_or_error_on_sync() {}

cudaError_t GetDeviceCount(int *count) { return cudaGetDeviceCount(count); }

cudaError_t GetDevice(DeviceIndex *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t SetDevice(DeviceIndex device, const bool) { return cudaSetDevice(device); }

cudaError_t MaybeSetDevice(DeviceIndex device) { return cudaSetDevice(device); }

DeviceIndex ExchangeDevice(DeviceIndex device) {
  set_device(device);
  return 0;
}

DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return ExchangeDevice(device); }

void SetTargetDevice() {}

bool hasPrimaryContext(DeviceIndex) { return true; }

std::optional<DeviceIndex> getDeviceIndexWithPrimaryContext() { return 0; }

cudaStream_t CUDAStream::stream() const { return nullptr; }

bool CUDAStream::query() const {
  const cudaError_t status = cudaStreamQuery(stream());
  if (status != cudaErrorNotReady) C10_CUDA_CHECK(status);
  return status == cudaSuccess;
}

void CUDAStream::synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream())); }

CUDAStream getStreamFromPool(const bool, DeviceIndex) { return onlyStream(); }

CUDAStream getStreamFromPool(const int, DeviceIndex) { return onlyStream(); }

CUDAStream getStreamFromExternal(cudaStream_t, DeviceIndex) { return onlyStream(); }

CUDAStream getDefaultCUDAStream(DeviceIndex) { return onlyStream(); }

CUDAStream getCurrentCUDAStream(DeviceIndex) { return onlyStream(); }

void setCurrentCUDAStream(CUDAStream) {}

std::ostream &operator<<(std::ostream &out, const CUDAStream &stream) { return out << stream.unwrap(); }

} // namespace c10::cuda
