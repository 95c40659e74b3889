#pragma once

#include "device/runtime.hpp"

namespace kernelwright {

/**
 * Asks the device for memory under a name. Gives the status of the protocol; that the memory is used up is
 * told, since a GPU of the modelled kind has more.
 */
int askForMemory(size_t bytes, const char *name, protocol::AllocateReply &reply);

} // namespace kernelwright
