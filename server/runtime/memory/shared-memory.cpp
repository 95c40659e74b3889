#include "memory/shared-memory.hpp"

#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "device/runtime.hpp"
#include "device/allocations.hpp"
#include "memory/owned-elsewhere.hpp"

namespace kernelwright {
namespace {

constexpr size_t kChunk = 65536;

struct Shared : SharedRange {
  /** What both sides held when they were equal the last time; empty before the first push. */
  std::unique_ptr<char[]> agreed;
};

std::list<Shared> &ranges() {
  static auto *all = new std::list<Shared>;
  return *all;
}

bool changesExpected = false;

/** Held over every use of the ranges; what needs all of them current synchronizes while it holds it. */
class Locked {
public:
  Locked() : lock_(mutex()) {}

private:
  static std::recursive_mutex &mutex() {
    static auto *only = new std::recursive_mutex;
    return *only;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

/** Sends what both sides agree on from now on: another thread of the program may change the host's bytes
 * meanwhile. */
int send(const Shared &range, size_t at, size_t bytes) {
  const Request request = protocol::writeRequest({range.device + at, bytes, bytes, 1}, 0, "");
  std::memcpy(range.agreed.get() + at, range.host + at, bytes);
  return exchange(request, {range.agreed.get() + at, bytes}).status;
}

bool hostChanged(const Shared &range) {
  return range.agreed != nullptr && std::memcmp(range.agreed.get(), range.host, range.bytes) != 0;
}

int push(Shared &range) {
  const bool first = range.agreed == nullptr;
  if (first) range.agreed.reset(new char[range.bytes]);
  for (size_t at = 0; at < range.bytes; at += kChunk) {
    const size_t bytes = range.bytes - at < kChunk ? range.bytes - at : kChunk;
    if (!first && std::memcmp(range.agreed.get() + at, range.host + at, bytes) == 0) continue;
    const int status = send(range, at, bytes);
    if (status != 0) return status;
  }
  return 0;
}

/** Takes over what a kernel has changed; gives how many of these bytes the host had changed meanwhile. */
size_t takeOver(Shared &range, const char *fresh, size_t at, size_t bytes) {
  size_t lost = 0;
  for (size_t index = at; index < at + bytes; ++index) {
    if (fresh[index] == range.agreed[index]) continue;
    const char host = range.host[index];
    if (host != range.agreed[index] && host != fresh[index]) ++lost;
    range.host[index] = fresh[index];
  }
  return lost;
}

/** Adds to `lost` the bytes that host and kernels have both changed. */
int pull(Shared &range, size_t &lost) {
  if (range.agreed == nullptr) return 0;
  std::unique_ptr<char[]> fresh(new char[range.bytes]);
  const Request request = protocol::fetchRequest({range.device, range.bytes, range.bytes, 1}, "");
  const int status = exchange(request, {}, {fresh.get(), range.bytes}).status;
  if (status != 0) return status;
  for (size_t at = 0; at < range.bytes; at += kChunk) {
    const size_t bytes = range.bytes - at < kChunk ? range.bytes - at : kChunk;
    if (std::memcmp(fresh.get() + at, range.agreed.get() + at, bytes) == 0) continue;
    lost += takeOver(range, fresh.get(), at, bytes);
  }
  range.agreed.swap(fresh);
  return 0;
}

/** Pages that touch the bytes, first and behind the last. */
struct Pages {
  explicit Pages(uint64_t address, size_t bytes) {
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    first = address / page * page;
    size = (address + (bytes == 0 ? 1 : bytes) + page - 1) / page * page - first;
  }
  uint64_t first;
  size_t size;
};

bool open(uint64_t address, size_t bytes) {
  const Pages pages(address, bytes);
  void *start = reinterpret_cast<void *>(pages.first);
  if (mprotect(start, pages.size, PROT_READ | PROT_WRITE) == 0) return true;
  return mmap(start, pages.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
              -1, 0) == start;
}

/** Ends the sharing of an allocation and frees it. */
cudaError_t release(const void *host, bool managed) {
  if (host == nullptr) return cudaSuccess;
  performWaiting();
  const AtOnce now(WorkMark{});
  const Locked locked;
  for (auto range = ranges().begin(); range != ranges().end(); ++range) {
    if (range->host != host || range->kind == SharedKind::registered) continue;
    if (managed != (range->kind == SharedKind::managed)) return settle(cudaErrorInvalidValue);
    const cudaError_t synchronized = synchronize();
    if (synchronized != cudaSuccess) return synchronized;
    const uint64_t address = range->device;
    const Pages pages(address, range->bytes);
    ranges().erase(range);
    madvise(reinterpret_cast<void *>(pages.first), pages.size, MADV_DONTNEED);
    return settle(exchange(protocol::freeRequest(address, callers())));
  }
  return settle(cudaErrorInvalidValue);
}

cudaError_t allocate(void **pointer, size_t bytes, SharedKind kind, unsigned flags) {
  if (pointer == nullptr) return settle(cudaErrorInvalidValue);
  *pointer = nullptr;
  device();
  const cudaError_t refused = allowsUnsafe();
  if (refused != cudaSuccess) return refused;
  const bool managed = kind == SharedKind::managed;
  if (bytes == 0) return managed ? settle(cudaErrorInvalidValue) : cudaSuccess;
  // The device keeps more than a page between allocations, so that no page belongs to two of them.
  protocol::AllocateReply reply;
  const int status = askForMemory(bytes, managed ? "managed memory" : "pinned memory", reply);
  if (status != 0) return settle(status);
  const uint64_t address = reply.address;
  if (!shareWindow(kind, address, bytes, flags)) return settle(cudaErrorMemoryAllocation);
  notePinned();
  *pointer = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

bool isManaged(const void *pointer) {
  const std::optional<SharedRange> range = sharedAt(pointer);
  return range && range->kind == SharedKind::managed;
}

} // namespace

int pushShared() {
  const Locked locked;
  for (Shared &range : ranges()) {
    // What is sent goes in whole chunks, so that changes of an earlier kernel in the same chunk have to be
    // here first.
    if (changesExpected && hostChanged(range)) {
      const int pulled = pullShared();
      if (pulled != 0) return pulled;
    }

    const int status = push(range);
    if (status != 0) return status;
  }
  return 0;
}

int pullShared() {
  const Locked locked;
  if (!changesExpected) return 0;
  changesExpected = false;
  size_t lost = 0;
  for (Shared &range : ranges()) {
    const int status = pull(range, lost);
    if (status != 0) return status;
  }
  if (lost != 0)
    tell("host code changed memory while a kernel on its way changed the same bytes (" +
         std::to_string(lost) +
         "): the host's changes are lost. On the virtual GPU host code and kernels see each other's changes "
         "at "
         "launches and synchronisations only, so that atomics of both on the same memory do not add up");
  return 0;
}

void expectChanges() {
  const Locked locked;
  changesExpected = true;
}

std::optional<SharedRange> sharedAt(const void *host) {
  const Locked locked;
  for (const Shared &range : ranges()) {
    if (host >= range.host && host < range.host + range.bytes) return range;
  }
  return ownedAt(host);
}

bool shareWindow(SharedKind kind, uint64_t address, size_t bytes, unsigned flags) {
  if (!open(address, bytes)) return false;
  Shared range;
  static_cast<SharedRange &>(range) = {kind, reinterpret_cast<char *>(address), address, bytes, flags};
  const Locked locked;
  ranges().push_back(std::move(range));
  return true;
}

bool shareVariable(uint64_t address, size_t bytes) {
  const Locked locked;
  if (!shareWindow(SharedKind::managed, address, bytes, cudaMemAttachGlobal)) return false;
  Shared &range = ranges().back();
  range.agreed.reset(new char[bytes]);
  const Request request = protocol::fetchRequest({address, bytes, bytes, 1}, "");
  if (exchange(request, {}, {range.agreed.get(), bytes}).status != 0) return false;
  std::memcpy(range.host, range.agreed.get(), bytes);
  return true;
}

void unshareWindow(uint64_t address) {
  const Locked locked;
  for (auto range = ranges().begin(); range != ranges().end(); ++range) {
    if (range->device != address) continue;
    const Pages pages(address, range->bytes);
    ranges().erase(range);
    // Nothing of it stays, and the next use by the host is noticed again.
    mmap(reinterpret_cast<void *>(pages.first), pages.size, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return;
  }
}

void forgetShared() {
  const Locked locked;
  ranges().clear();
}

cudaError_t freeManaged(const void *pointer) { return release(pointer, true); }

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, SharedKind::managed, flags);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, SharedKind::pinned, flags);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, SharedKind::pinned, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) { return release(pointer, false); }

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr || bytes == 0) return settle(cudaErrorInvalidValue);
  device();
  const Locked locked;
  if (sharedAt(pointer)) return settle(cudaErrorHostMemoryAlreadyRegistered);
  protocol::AllocateReply reply;
  const int status = ask(protocol::allocateRequest(bytes, "registered memory", callers()), reply);
  if (status != 0) return settle(status);
  Shared range;
  static_cast<SharedRange &>(range) = {SharedKind::registered, static_cast<char *>(pointer), reply.address,
                                       bytes, flags};
  ranges().push_back(std::move(range));
  notePinned();
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer) {
  performWaiting();
  const AtOnce now(WorkMark{});
  const Locked locked;
  for (auto range = ranges().begin(); range != ranges().end(); ++range) {
    if (range->host != pointer || range->kind != SharedKind::registered) continue;
    const cudaError_t synchronized = synchronize();
    if (synchronized != cudaSuccess) return synchronized;
    const uint64_t address = range->device;
    ranges().erase(range);
    return settle(exchange(protocol::freeRequest(address, callers())));
  }
  return settle(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **devicePointer, void *host, unsigned) {
  const std::optional<SharedRange> range = sharedAt(host);
  if (!range || range->kind == SharedKind::managed) return settle(cudaErrorInvalidValue);
  *devicePointer = reinterpret_cast<void *>(range->device +
                                            static_cast<uint64_t>(static_cast<char *>(host) - range->host));
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  const std::optional<SharedRange> range = sharedAt(host);
  if (!range || range->kind == SharedKind::managed) return settle(cudaErrorInvalidValue);
  *flags = range->flags;
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return isManaged(pointer) ? cudaSuccess : settle(cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return isManaged(pointer) ? cudaSuccess : settle(cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *, size_t count, cudaMemLocation *, size_t *,
                                      size_t, unsigned long long, cudaStream_t) {
  for (size_t index = 0; index < count; ++index) {
    if (!isManaged(pointers[index])) return settle(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned) { return cudaSuccess; }

PER_THREAD(cudaMemPrefetchAsync, _ptsz)
PER_THREAD(cudaMemPrefetchBatchAsync, _ptsz)
PER_THREAD(cudaStreamAttachMemAsync, _ptsz)

} // extern "C"
