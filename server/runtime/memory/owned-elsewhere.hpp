// Memory of the host whose owner carries it to the device itself, launch by launch, and calls it memory of
// the device: that of torch's tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "memory/shared-memory.hpp"

/** What the owner is asked. Addresses are the host's. */
struct KernelwrightOwner {
  /** Makes a launch's parameters the device's and brings along what they point to. Gives the protocol's
   * status. */
  int (*begin)(void *parameters, size_t bytes);
  /** Fetches what the launch has changed. */
  int (*end)();
  /** The range that an address lies in; 0 when it is none of the owner's. */
  size_t (*rangeOf)(const void *address, void **start, uint64_t *id);
  /** Flags that every launch gets. */
  uint32_t (*flags)();
  /** Where the program is, as the protocol's `where`. */
  const char *(*place)();
};

namespace kernelwright {

/** The owner, or null when there is none. */
const KernelwrightOwner *owner();
/** The owner's range that a pointer lies in, as a range that both sides share. */
std::optional<SharedRange> ownedAt(const void *pointer);

} // namespace kernelwright
