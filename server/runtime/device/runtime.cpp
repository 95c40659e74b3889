#include "device/runtime.hpp"

#include <atomic>
#include <cstdio>
#include <execinfo.h>
#include <link.h>
#include <mutex>
#include <sys/mman.h>

#include "memory/arrays.hpp"
#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "memory/owned-elsewhere.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

thread_local cudaError_t lastError = cudaSuccess;
thread_local cudaError_t brokenContext = cudaSuccess;

DeviceFacts greet() {
  protocol::HelloReply reply;
  ask(protocol::helloRequest(protocol::version), reply);
  DeviceFacts facts;
  facts.sanitizes = (reply.flags & protocol::DeviceFlags::sanitizes) != 0;
  facts.profiles = (reply.flags & protocol::DeviceFlags::profiles) != 0;
  facts.name = reply.name;
  facts.memoryBytes = reply.memoryBytes;
  facts.windowBase = reply.windowBase;
  facts.windowBytes = reply.windowBytes;
  for (const protocol::Attribute &known : reply.attributes)
    facts.attributes[static_cast<int>(known.attribute)] = known.value;
  // Memory that host and kernels share has one address for both, so that nothing else of this process may lie
  // there. Where the reservation is refused, the pages are mapped one by one later.
  mmap(reinterpret_cast<void *>(facts.windowBase), facts.windowBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return facts;
}

struct Image {
  uintptr_t base = 0;
  uintptr_t end = 0;
};

/** Where the program's own executable lies. */
const Image &executable() {
  static const Image found = [] {
    Image image;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
          Image &target = *static_cast<Image *>(data);
          target.base = info->dlpi_addr;
          for (int index = 0; index < info->dlpi_phnum; ++index) {
            const uintptr_t last =
                info->dlpi_addr + info->dlpi_phdr[index].p_vaddr + info->dlpi_phdr[index].p_memsz;
            if (info->dlpi_phdr[index].p_type == PT_LOAD && last > target.end) target.end = last;
          }
          return 1;
        },
        &image);
    return image;
  }();
  return found;
}

void append(std::string &text, const void *returnAddress) {
  // The call stands just before the address that it returns to.
  const uintptr_t at = reinterpret_cast<uintptr_t>(returnAddress) - 1;
  if (at < executable().base || at >= executable().end) return;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%s%lx", text.empty() ? "@" : ",",
                static_cast<unsigned long>(at - executable().base));
  text += digits;
}

} // namespace

const DeviceFacts &device() {
  static const DeviceFacts facts = greet();
  return facts;
}

namespace {
std::atomic<bool> isPrimaryUsed{false};
} // namespace

void usePrimaryContext() { isPrimaryUsed = true; }
bool usesPrimaryContext() { return isPrimaryUsed; }

cudaError_t settle(int status) {
  const cudaError_t error = static_cast<cudaError_t>(status);
  if (error == cudaSuccess) return error;
  lastError = error;
  const bool sticky = error == cudaErrorIllegalAddress || error == cudaErrorMisalignedAddress ||
                      error == cudaErrorAssert || error == cudaErrorLaunchFailure ||
                      error == cudaErrorLaunchTimeout || error == cudaErrorNotSupported;
  if (sticky) brokenContext = error;
  return error;
}

void tell(const std::string &message) {
  device();
  exchange(protocol::tellRequest(message, callers()));
}

cudaError_t lacking(const char *what) {
  tell(std::string("the virtual GPU's runtime has no ") + what + ": the program gets cudaErrorNotSupported");
  lastError = cudaErrorNotSupported;
  return lastError;
}

int refuse(const char *function) { return lacking(function); }

std::string callers() {
  if (const std::string *late = placeOfWork()) return *late;
  if (owner() != nullptr) return owner()->place();
  void *frames[16];
  const int count = backtrace(frames, 16);
  std::string text;
  for (int index = 1; index < count; ++index)
    append(text, frames[index]);
  return text;
}

cudaError_t misused(cudaError_t error, const std::string &what) {
  if (device().sanitizes) exchange(protocol::misuseRequest(what, callers()));
  return settle(error);
}

std::string place(const void *returnAddress) {
  if (owner() != nullptr) return owner()->place();
  std::string text;
  append(text, returnAddress);
  return text;
}

cudaError_t synchronize(const std::string &where) {
  performWaiting();
  protocol::SynchronizeReply reply;
  const int status = ask(protocol::synchronizeRequest(where), reply);
  if (status != 0) return settle(status);
  const std::string &printed = reply.printed;
  if (!printed.empty()) {
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    std::fflush(stdout);
  }
  return settle(pullShared());
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaPeekAtLastError(void) {
  const int posted = takePosted();
  if (lastError == cudaSuccess) settle(posted);
  return lastError;
}

cudaError_t cudaGetLastError(void) {
  cudaPeekAtLastError();
  const cudaError_t error = lastError;
  lastError = brokenContext;
  return error;
}

cudaError_t cudaDeviceSynchronize(void) {
  device();
  const cudaError_t refused = waitForAll();
  return refused == cudaSuccess ? synchronize(callers()) : refused;
}

cudaError_t cudaDeviceReset(void) {
  device();
  performWaiting();
  forgetShared();
  forgetArrays();
  forgetImages();
  takePosted();
  const Reply reply = exchange(protocol::resetRequest());
  lastError = cudaSuccess;
  brokenContext = cudaSuccess;
  return settle(reply);
}

} // extern "C"
