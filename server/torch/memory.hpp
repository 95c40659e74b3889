// Memory of the virtual GPU as torch sees it: bytes of this process that its tensors call memory of the GPU.
// A launch carries them to the device and back.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

#include <atomic>
#include <vector>

namespace kernelwright {

/** The only GPU that there is. */
inline const c10::Device kGpu{c10::DeviceType::CUDA, 0};
inline const c10::Device kHost{c10::DeviceType::CPU};

/** Makes memory of the GPU. */
c10::Allocator *gpuAllocator();
/** Makes pinned memory of the host. */
c10::Allocator *pinnedAllocator();
bool isPinned(const void *data);

/** Bytes that tensors of the GPU hold now, and the most that they have held since the last reset. */
struct HeldBytes {
  std::atomic<uint64_t> now;
  std::atomic<uint64_t> most;
};
HeldBytes &heldBytes();

/** Tensors of the GPU lent to one call of a CPU kernel, as tensors of main memory over the same bytes. */
class Lending {
public:
  at::Tensor lend(const at::Tensor &tensor);
  /** A result of the kernel as a tensor of the GPU: a lent tensor itself, a view of one, or new memory. */
  at::Tensor takeBack(const at::Tensor &result);
  /** Gives the tensors the sizes and the memory that the kernel has given to their lent forms. */
  void settle();

private:
  struct LentTensor {
    at::Tensor own;
    at::Tensor view;
  };
  struct LentStorage {
    c10::Storage own;
    c10::Storage view;
    void *data;
  };
  c10::Storage viewOf(const c10::Storage &own);

  std::vector<LentTensor> tensors_;
  std::vector<LentStorage> storages_;
};

} // namespace kernelwright
