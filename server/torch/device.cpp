// The one GPU, its one stream, and what torch's CPU library asks about it.
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "generators.hpp"
#include "memory.hpp"

namespace kernelwright {
namespace {

/** Work is complete when the call that starts it returns, so that nothing waits. */
struct GpuGuard final : c10::impl::DeviceGuardImplInterface {
  static c10::Stream only() { return c10::Stream(c10::Stream::DEFAULT, kGpu); }

  c10::DeviceType type() const override { return kGpu.type(); }
  c10::Device exchangeDevice(c10::Device device) const override {
    setDevice(device);
    return kGpu;
  }
  c10::Device getDevice() const override { return kGpu; }
  void setDevice(c10::Device device) const override {
    TORCH_CHECK(device.index() <= 0,
                "CUDA error: invalid device ordinal: the virtual GPU is cuda:0, there is no ", device);
  }
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }

  c10::Stream getStream(c10::Device) const override { return only(); }
  c10::Stream getDefaultStream(c10::Device) const override { return only(); }
  c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override { return only(); }
  c10::Stream getNewStream(c10::Device, int) const override { return only(); }
  c10::Stream exchangeStream(c10::Stream) const override { return only(); }
  bool queryStream(const c10::Stream &) const override { return true; }
  void synchronizeStream(const c10::Stream &) const override {}
  void synchronizeDevice(const c10::DeviceIndex) const override {}

  void record(void **, const c10::Stream &, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void *, const c10::Stream &) const override {}
  bool queryEvent(void *) const override { return true; }
  void synchronizeEvent(void *) const override {}
};

C10_REGISTER_GUARD_IMPL(CUDA, GpuGuard);

const bool allocates = [] {
  c10::SetAllocator(c10::DeviceType::CUDA, gpuAllocator());
  return true;
}();

struct GpuHooks final : at::CUDAHooksInterface {
  explicit GpuHooks(at::CUDAHooksArgs) {}

  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasCUDART() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }

  c10::DeviceIndex deviceCount() const override { return 1; }
  int getNumGPUs() const override { return 1; }
  c10::DeviceIndex current_device() const override { return 0; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex) const override {}
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::Device getDeviceFromPtr(void *) const override { return kGpu; }
  void deviceSynchronize(c10::DeviceIndex) const override {}

  c10::Allocator *getCUDADeviceAllocator() const override { return gpuAllocator(); }
  c10::Allocator *getPinnedMemoryAllocator() const override { return pinnedAllocator(); }
  bool isPinnedPtr(const void *data) const override { return isPinned(data); }

  const at::Generator &getDefaultGenerator(c10::DeviceIndex) const override { return defaultGenerator(); }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return newGenerator(); }
};

} // namespace
} // namespace kernelwright

namespace at {
// The name by which torch asks for it.
C10_REGISTER_TYPED_CLASS(CUDAHooksRegistry, "CUDAHooks", kernelwright::GpuHooks);
} // namespace at
