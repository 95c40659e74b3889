// Buffers that a harness is lent for one case: device memory that host code may use as well. The device has
// their contents; a buffer comes to this process only when host code touches it, and is managed memory from
// then on. Until then copies to and from it stay on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/connection.hpp"

namespace kernelwright {

/** Lends these and takes back all earlier ones, after sending what the host has changed in them. */
void lend(const std::vector<protocol::LentBuffer> &buffers);
/** True for an address in a buffer that the host has not touched. */
bool isLent(const void *pointer);
/** Shares the buffer that an address lies in, for host code that is about to use it. False when there is
 * none. */
bool fetchLent(const void *pointer);

} // namespace kernelwright
