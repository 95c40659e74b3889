// Memory that host code and kernels both use: managed, pinned and registered. The host's bytes and the
// device's are two copies that are made equal before a launch and at synchronisation. All of it is safe from
// several threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kernelwright {

/** `owned`: see owned-elsewhere.hpp. */
enum class SharedKind { managed, pinned, registered, owned };

struct SharedRange {
  SharedKind kind;
  char *host;
  uint64_t device;
  size_t bytes;
  unsigned flags;
};

/** Sends what the host has changed. Gives the status of the protocol. */
int pushShared();
/** Fetches what kernels have changed since the last time, leaving alone what the host changed meanwhile. */
int pullShared();
/** Says that a kernel is on its way, so that the next pull looks. */
void expectChanges();
/** The range that a host pointer lies in. */
std::optional<SharedRange> sharedAt(const void *host);
/** Makes pages of the device's window usable by the host and begins to share them. False when the system
 * refuses. */
bool shareWindow(SharedKind kind, uint64_t address, size_t bytes, unsigned flags);
/** The same for bytes that already hold something on the device. */
bool shareVariable(uint64_t address, size_t bytes);
/** Ends the sharing that begins at an address; the device keeps the bytes. */
void unshareWindow(uint64_t address);
/** cudaFree of managed memory. */
cudaError_t freeManaged(const void *pointer);
/** Ends all sharing: the device is about to forget its allocations. */
void forgetShared();

} // namespace kernelwright
