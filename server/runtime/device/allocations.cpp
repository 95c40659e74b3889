#include "device/allocations.hpp"

#include <string>

namespace kernelwright {
namespace {

/** Bytes that no GPU has: a program that asks for more wants to see the error. */
constexpr size_t kLargestGpu = size_t{512} << 30;

} // namespace

int askForMemory(size_t bytes, const char *name, protocol::AllocateReply &reply) {
  const int status = ask(protocol::allocateRequest(bytes, name, callers()), reply);
  if (status == cudaErrorMemoryAllocation && bytes < kLargestGpu)
    tell("the virtual GPU's " + std::to_string(device().memoryBytes >> 30) +
         " GiB are used up, so that the program gets cudaErrorMemoryAllocation for " +
         std::to_string(bytes >> 20) + " MiB; a GPU with more memory may have them: give smaller sizes");
  return status;
}

} // namespace kernelwright
