// Functions of the driver by their names, for programs that ask for them while they run.
#include <dlfcn.h>

#include <string>

#include "libraries/driver/driver.hpp"

namespace kernelwright::driver {
namespace {

/** The version of CUDA with which contexts got their present form. */
constexpr int newContexts = 13000;

/** The function that a program of this version of CUDA means: newer forms have a number behind the name. */
void *functionOf(const std::string &name, int version) {
  void *own = dlopen(nullptr, RTLD_NOW);
  if (own == nullptr) return nullptr;
  if (name == "cuCtxCreate") return dlsym(own, version < newContexts ? "cuCtxCreate_v2" : "cuCtxCreate_v4");
  for (const char *form : {"_v3", "_v2", ""})
    if (void *found = dlsym(own, (name + form).c_str())) return found;
  return nullptr;
}

} // namespace
} // namespace kernelwright::driver

#undef cuGetProcAddress

extern "C" {

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult *found) {
  if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = kernelwright::driver::functionOf(name, version);
  const bool isThere = *function != nullptr;
  if (found != nullptr) *found = isThere ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return isThere ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

// The form before CUDA 12.
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

} // extern "C"
