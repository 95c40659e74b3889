#include "memory.hpp"

#include <c10/core/CPUAllocator.h>

#include <map>
#include <mutex>
#include <set>

namespace kernelwright {
namespace {

/** Memory that the CPU's allocator or one of its kernels has made. */
struct Block {
  c10::DataPtr memory;
  size_t bytes;
  /** No two blocks of the GPU have the same. */
  uint64_t id;
};

struct FoundBlock {
  uintptr_t start;
  size_t bytes;
  uint64_t id;
};

/** All blocks of the GPU by their first byte, for who has an address only. */
class LiveBlocks {
public:
  void add(Block *block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    block->id = ++last_;
    if (block->bytes > 0) blocks_[start(*block)] = block;
  }

  void remove(const Block *block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(start(*block));
    if (found != blocks_.end() && found->second == block) blocks_.erase(found);
  }

  /** Start, bytes and id of the block that holds the address; an id of 0 when there is none. */
  FoundBlock find(uintptr_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.begin()) return {};
    --found;
    const Block &block = *found->second;
    return address - found->first < block.bytes ? FoundBlock{found->first, block.bytes, block.id}
                                                : FoundBlock{};
  }

private:
  static uintptr_t start(const Block &block) { return reinterpret_cast<uintptr_t>(block.memory.get()); }

  std::mutex mutex_;
  std::map<uintptr_t, Block *> blocks_;
  uint64_t last_ = 0;
};

LiveBlocks &liveBlocks() {
  static auto *only = new LiveBlocks;
  return *only;
}

void freeBlock(void *context) {
  Block *block = static_cast<Block *>(context);
  heldBytes().now -= block->bytes;
  liveBlocks().remove(block);
  delete block;
}

c10::DataPtr asGpuMemory(c10::DataPtr memory, size_t bytes) {
  void *data = memory.get();
  HeldBytes &held = heldBytes();
  const uint64_t now = held.now += bytes;
  if (now > held.most) held.most = now;
  Block *block = new Block{std::move(memory), bytes, 0};
  liveBlocks().add(block);
  return {data, block, &freeBlock, kGpu};
}

class GpuAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t bytes) override {
    return asGpuMemory(c10::GetCPUAllocator()->allocate(bytes), bytes);
  }
  void copy_data(void *target, const void *source, size_t bytes) const override {
    default_copy_data(target, source, bytes);
  }
};

std::mutex &pinnedMutex() {
  static auto *only = new std::mutex;
  return *only;
}

std::set<const void *> &pinnedBlocks() {
  static auto *all = new std::set<const void *>;
  return *all;
}

void freePinned(void *context) {
  Block *block = static_cast<Block *>(context);
  {
    const std::lock_guard<std::mutex> lock(pinnedMutex());
    pinnedBlocks().erase(block->memory.get());
  }
  delete block;
}

class PinnedAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t bytes) override {
    Block *block = new Block{c10::GetCPUAllocator()->allocate(bytes), bytes, 0};
    void *data = block->memory.get();
    const std::lock_guard<std::mutex> lock(pinnedMutex());
    pinnedBlocks().insert(data);
    return {data, block, &freePinned, kHost};
  }
  void copy_data(void *target, const void *source, size_t bytes) const override {
    default_copy_data(target, source, bytes);
  }
};

void letGo(void *storage) { c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl *>(storage)); }

/** The storage's memory under another device's name; the storage lives as long as that. */
c10::DataPtr sameBytes(const c10::Storage &storage, c10::Device device) {
  c10::StorageImpl *impl = storage.unsafeGetStorageImpl();
  c10::raw::intrusive_ptr::incref(impl);
  return {impl->mutable_data(), impl, &letGo, device};
}

c10::Storage storageOver(c10::DataPtr memory, size_t bytes, c10::Allocator *allocator) {
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(memory),
                                               allocator, /*resizable=*/true);
}

/** The tensor `made`, of the same extents and kind as `like`. */
at::Tensor shapedLike(at::Tensor made, const at::Tensor &like) {
  c10::TensorImpl *impl = made.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj()) made._set_conj(true);
  if (like.is_neg()) made._set_neg(true);
  if (like.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
  return made;
}

at::Tensor tensorOver(c10::Storage storage, c10::DispatchKey key, const at::Tensor &like) {
  return shapedLike(
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype()),
      like);
}

/** A view of `base`. In inference mode, too, the view of a tensor that autograd knows is known to it. */
at::Tensor viewOver(const at::Tensor &base, const at::Tensor &like) {
  const c10::DispatchKeySet lazy({c10::DispatchKey::Conjugate, c10::DispatchKey::Negative});
  return shapedLike(at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW,
                                                             c10::Storage(base.storage()),
                                                             base.key_set() - lazy, like.dtype()),
                    like);
}

bool sameShape(const at::Tensor &one, const at::Tensor &other) {
  return one.sizes() == other.sizes() && one.strides() == other.strides() &&
         one.storage_offset() == other.storage_offset();
}

} // namespace

HeldBytes &heldBytes() {
  static auto *only = new HeldBytes{};
  return *only;
}

c10::Allocator *gpuAllocator() {
  static auto *only = new GpuAllocator;
  return only;
}

c10::Allocator *pinnedAllocator() {
  static auto *only = new PinnedAllocator;
  return only;
}

bool isPinned(const void *data) {
  const std::lock_guard<std::mutex> lock(pinnedMutex());
  return pinnedBlocks().count(data) > 0;
}

c10::Storage Lending::viewOf(const c10::Storage &own) {
  for (const LentStorage &each : storages_) {
    if (each.own.unsafeGetStorageImpl() == own.unsafeGetStorageImpl()) return each.view;
  }
  c10::Storage view = storageOver(sameBytes(own, kHost), own.nbytes(), c10::GetCPUAllocator());
  storages_.push_back({own, view, own.mutable_data()});
  return view;
}

at::Tensor Lending::lend(const at::Tensor &tensor) {
  for (const LentTensor &each : tensors_) {
    if (each.own.is_same(tensor)) return each.view;
  }
  at::Tensor view = tensorOver(viewOf(tensor.storage()), c10::DispatchKey::CPU, tensor);
  tensors_.push_back({tensor, view});
  return view;
}

at::Tensor Lending::takeBack(const at::Tensor &result) {
  for (const LentTensor &each : tensors_) {
    if (each.view.is_same(result)) return each.own;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::kStrided,
                              "the virtual GPU has dense tensors only, and none with the layout ",
                              result.layout());
  for (const LentTensor &each : tensors_) {
    if (each.view.storage().unsafeGetStorageImpl() == result.storage().unsafeGetStorageImpl())
      return viewOver(each.own, result);
  }
  const size_t bytes = result.storage().nbytes();
  c10::DataPtr memory = asGpuMemory(sameBytes(result.storage(), kHost), bytes);
  return tensorOver(storageOver(std::move(memory), bytes, gpuAllocator()), c10::DispatchKey::CUDA, result);
}

void Lending::settle() {
  for (const LentStorage &each : storages_) {
    c10::StorageImpl *view = each.view.unsafeGetStorageImpl();
    c10::StorageImpl *own = each.own.unsafeGetStorageImpl();
    if (view->mutable_data() == each.data && view->nbytes() == own->nbytes()) continue;
    // The kernel has made a tensor larger, and with that its memory another one.
    own->set_data_ptr_noswap(asGpuMemory(sameBytes(each.view, kHost), view->nbytes()));
    own->set_nbytes(view->nbytes());
  }
  for (const LentTensor &each : tensors_) {
    if (!sameShape(each.own, each.view))
      each.own.unsafeGetTensorImpl()->set_sizes_and_strides(each.view.sizes(), each.view.strides(),
                                                            each.view.storage_offset());
  }
}

} // namespace kernelwright

extern "C" {

/** For torch.cuda.memory_allocated and its kin. */
uint64_t kernelwright_held_bytes(bool most) {
  const kernelwright::HeldBytes &held = kernelwright::heldBytes();
  return most ? held.most : held.now;
}

/** Bytes, start and id of the memory of the GPU that an address lies in; no bytes when it lies in none. */
size_t kernelwright_range_of(const void *address, void **start, uint64_t *id) {
  const kernelwright::FoundBlock found =
      kernelwright::liveBlocks().find(reinterpret_cast<uintptr_t>(address));
  *start = reinterpret_cast<void *>(found.start);
  *id = found.id;
  return found.bytes;
}

void kernelwright_reset_most_held_bytes() {
  kernelwright::heldBytes().most = kernelwright::heldBytes().now.load();
}

} // extern "C"
