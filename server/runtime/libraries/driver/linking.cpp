// Linking of PTX while a program runs: what comes out is the PTX itself, which the module of it is made from.
#include <fstream>
#include <iterator>
#include <string>

#include "libraries/driver/driver.hpp"

namespace kernelwright::driver {
namespace {

/** What a CUlinkState stands for. */
struct Linker {
  std::string ptx;
};

Linker *linkerOf(CUlinkState state) { return reinterpret_cast<Linker *>(state); }

/** There are no messages of a compiler. */
void clearLogs(unsigned count, const CUjit_option *options, void **values) {
  for (unsigned at = 0; at < count; ++at) {
    const bool isLog = options[at] == CU_JIT_INFO_LOG_BUFFER || options[at] == CU_JIT_ERROR_LOG_BUFFER;
    if (isLog && values[at] != nullptr) *static_cast<char *>(values[at]) = '\0';
  }
}

} // namespace
} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  clearLogs(count, options, values);
  *state = reinterpret_cast<CUlinkState>(new Linker());
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *,
                       unsigned, CUjit_option *, void **) {
  if (state == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX || !linkerOf(state)->ptx.empty()) {
    tell("cuLinkAddData takes one piece of PTX here: the virtual GPU links no machine code and no several "
         "pieces while a program runs");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  linkerOf(state)->ptx.assign(static_cast<const char *>(data), bytes);
  return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values) {
  std::ifstream file(path == nullptr ? "" : path, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return cuLinkAddData(state, type, content.data(), content.size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
  if (state == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (linkerOf(state)->ptx.empty()) return CUDA_ERROR_INVALID_IMAGE;
  *image = linkerOf(state)->ptx.data();
  if (bytes != nullptr) *bytes = linkerOf(state)->ptx.size();
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
  delete linkerOf(state);
  return state == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

} // extern "C"
