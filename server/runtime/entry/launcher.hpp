// Launches one kernel of an image, as `timed.hpp` asks. The words of a case are the extents of the grid and
// of the block, bytes of dynamic shared memory, the number of parameters, and each parameter's size and
// bytes.
#pragma once
#define KERNELWRIGHT_LAUNCHER 1
#include "kernelwright-timed.hpp"
#include <cuda.h>
#include <dlfcn.h>
#include <stdexcept>

namespace {

/* The driver's library is there where a driver is: it is no part of the toolkit. */
template <class F> F *driver(const char *name, F *linked) {
  if (linked != nullptr) return linked;
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw std::runtime_error("the NVIDIA driver's libcuda.so.1 cannot be loaded");
  return reinterpret_cast<F *>(found);
}

#ifdef KERNELWRIGHT_LINKED_DRIVER
#define DRIVER(name) driver<decltype(name)>(#name, name)
#else
#define DRIVER(name) driver<decltype(name)>(#name, nullptr)
#endif

void must(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS) return;
  const char *name = nullptr;
  DRIVER(cuGetErrorName)(result, &name);
  const std::string said = name == nullptr ? "CUresult " + std::to_string(result) : name;
  throw std::runtime_error(std::string(what) + " failed with " + said);
}

CUmodule loaded = nullptr;
CUfunction kernel = nullptr;

/* A variable of the module, on the GPU. */
struct Variable {
  void *address;
  size_t bytes;
};
std::vector<Variable> variables;
constexpr unsigned staticSharedLimit = 48 * 1024;

} // namespace

/* `symbols`: the kernel's, and in further lines those of variables. */
static void kernelwrightCode(const char *symbols, const char *image) {
  std::vector<std::string> names(1);
  for (const char *at = symbols; *at != 0; at += 1)
    if (*at == '\n')
      names.emplace_back();
    else
      names.back() += *at;
  // The runtime makes the context; where the walls or the driver are in its way, this is where it shows.
  const cudaError_t made = cudaFree(nullptr);
  if (made != cudaSuccess)
    throw std::runtime_error(std::string("making a context on the GPU failed with ") +
                             cudaGetErrorName(made));
  must(DRIVER(cuModuleLoadData)(&loaded, image), "loading the compiled kernel");
  must(DRIVER(cuModuleGetFunction)(&kernel, loaded, names[0].c_str()), "finding the kernel in its module");
  variables.clear();
  for (size_t each = 1; each < names.size(); each += 1) {
    CUdeviceptr address = 0;
    size_t bytes = 0;
    must(DRIVER(cuModuleGetGlobal_v2)(&address, &bytes, loaded, names[each].c_str()),
         ("finding the variable " + names[each] + " in its module").c_str());
    variables.push_back({reinterpret_cast<void *>(address), bytes});
  }
}

static const unsigned long long *behindParameters(const unsigned long long *words) {
  const unsigned long long *at = words + 8;
  for (unsigned long long left = words[7]; left > 0; left -= 1)
    at += 1 + (*at + 7) / 8;
  return at;
}

static bool kernelwrightVariables(const unsigned long long *words, bool before) {
  const unsigned long long *at = behindParameters(words);
  for (const Variable &each : variables) {
    void *content = reinterpret_cast<void *>(at[0]);
    const bool isChanged = at[1] != 0;
    at += 2;
    if (before)
      cudaMemcpyAsync(each.address, content, each.bytes, cudaMemcpyDeviceToDevice, nullptr);
    else if (isChanged)
      cudaMemcpyAsync(content, each.address, each.bytes, cudaMemcpyDeviceToDevice, nullptr);
  }
  return !variables.empty();
}

static void kernelwrightCase(const unsigned long long *words) {
  const unsigned sharedBytes = static_cast<unsigned>(words[6]);
  std::vector<void *> parameters;
  const unsigned long long *at = words + 8;
  for (unsigned long long left = words[7]; left > 0; left -= 1) {
    parameters.push_back(const_cast<unsigned long long *>(at + 1));
    at += 1 + (*at + 7) / 8;
  }
  if (sharedBytes > staticSharedLimit)
    must(DRIVER(cuFuncSetAttribute)(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes),
         "setting the dynamic shared memory");
  must(DRIVER(cuLaunchKernel)(kernel, words[0], words[1], words[2], words[3], words[4], words[5], sharedBytes,
                              nullptr, parameters.data(), nullptr),
       "launching the kernel");
}
