#include "blocks/host-blocks.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <unistd.h>

#include "device/runtime.hpp"

namespace kernelwright {
namespace {

/** What the list of blocks is made of is none of them. */
template <class T> struct PlainAllocator {
  using value_type = T;
  PlainAllocator() = default;
  template <class U> PlainAllocator(const PlainAllocator<U> &) {}
  T *allocate(size_t count) {
    void *made = std::malloc(count * sizeof(T));
    if (made == nullptr) throw std::bad_alloc();
    return static_cast<T *>(made);
  }
  void deallocate(T *made, size_t) { std::free(made); }
  template <class U> bool operator==(const PlainAllocator<U> &) const { return true; }
  template <class U> bool operator!=(const PlainAllocator<U> &) const { return false; }
};

std::atomic<bool> isWatched{false};

using Blocks =
    std::map<uintptr_t, size_t, std::less<uintptr_t>, PlainAllocator<std::pair<const uintptr_t, size_t>>>;

/** Never destroyed: blocks are freed after everything else has ended. */
struct Known {
  std::mutex lock;
  Blocks blocks;
};

Known &known() {
  alignas(Known) static unsigned char place[sizeof(Known)];
  static auto *all = new (place) Known;
  return *all;
}

/** Bytes from an address to the end of its block. */
size_t leftFrom(uintptr_t address, size_t otherwise) {
  Known &all = known();
  const std::lock_guard<std::mutex> held(all.lock);
  auto after = all.blocks.upper_bound(address);
  if (after == all.blocks.begin()) return otherwise;
  const auto &[start, bytes] = *--after;
  return address - start < bytes ? start + bytes - address : otherwise;
}

void endBeyondBlock(const void *start, size_t bytes, bool isRead) {
  const size_t left = leftFrom(reinterpret_cast<uintptr_t>(start), bytes);
  if (bytes <= left) return;
  const std::string message = "the host code copies " + std::to_string(bytes) + " bytes " +
                              (isRead ? "from" : "to") + " memory of the host that has " +
                              std::to_string(left) + " (of a std::vector, or of new)";
  post(protocol::turnRequest(protocol::TurnEnds::crashed, message, callers(), 0, {}));
  _exit(128 + SIGSEGV);
}

} // namespace

void watchBlocks() {
  isWatched = true;
  requireInBlock = endBeyondBlock;
}

void noteBlock(const void *start, size_t bytes) {
  if (!isWatched) return;
  Known &all = known();
  const std::lock_guard<std::mutex> held(all.lock);
  all.blocks[reinterpret_cast<uintptr_t>(start)] = bytes;
}

void forgetBlock(const void *start) {
  if (!isWatched) return;
  Known &all = known();
  const std::lock_guard<std::mutex> held(all.lock);
  all.blocks.erase(reinterpret_cast<uintptr_t>(start));
}

} // namespace kernelwright
