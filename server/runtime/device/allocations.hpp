#pragma once

#include "device/runtime.hpp"

namespace kernelwright {

/**
 * Asks the device for memory under a name. Gives the status of the protocol; that the memory is used up is
 * told, since a GPU of the modelled kind has more.
 */
int askForMemory(size_t bytes, const char *name, protocol::AllocateReply &reply);
/** Takes memory now, whatever captures. `name`: what it is called in findings. */
cudaError_t allocate(void **pointer, size_t bytes, const char *name);
/** Gives it back when all work is done. */
cudaError_t release(void *pointer);

} // namespace kernelwright
