#include "memory/owned-elsewhere.hpp"

namespace kernelwright {
namespace {

KernelwrightOwner registered;
bool isRegistered = false;

} // namespace

const KernelwrightOwner *owner() { return isRegistered ? &registered : nullptr; }

std::optional<SharedRange> ownedAt(const void *pointer) {
  if (!isRegistered) return std::nullopt;
  void *start = nullptr;
  uint64_t id = 0;
  const size_t bytes = registered.rangeOf(pointer, &start, &id);
  if (bytes == 0) return std::nullopt;
  return SharedRange{SharedKind::owned, static_cast<char *>(start), reinterpret_cast<uint64_t>(start), bytes,
                     0};
}

} // namespace kernelwright

extern "C" void kernelwrightRegisterOwner(const KernelwrightOwner *owner) {
  kernelwright::registered = *owner;
  kernelwright::isRegistered = true;
}
