// Modules, kernels and launches in the driver API.
#include <cstring>
#include <vector>

#include "libraries/driver/device-code-files.hpp"
#include "libraries/driver/driver.hpp"
#include "modules/fatbinary.hpp"
#include "modules/toolkit-compiler.hpp"

namespace kernelwright::driver {
namespace {

Kernel *kernelOf(CUfunction function) { return reinterpret_cast<Kernel *>(function); }
Module *moduleOf(CUmodule module) { return reinterpret_cast<Module *>(module); }

CUresult loadModule(Module **module, const void *image) {
  if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const FatBinary binary = readImage(image);
  if (binary.ptx.empty()) {
    tell("the program loads device code without readable PTX, which is what the virtual GPU runs: compile it "
         "with -gencode arch=compute_80,code=[compute_80,sm_80] -Xfatbin -compress=false, or to PTX");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  return resultOf(loadImage(binary, module));
}

CUresult loadFile(Module **module, const char *path) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::string file = deviceCodeFile(path);
  if (!std::filesystem::exists(file)) {
    tell(std::string(path) +
         " is not there, and beside it and the program no source of its name: make it with "
         "nvcc -ptx -arch=compute_80 SOURCE.cu -o " +
         path);
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  // Text ends with a zero.
  return loadModule(module, contentOf(file).c_str());
}

CUresult kernelNamed(CUfunction *function, Module *module, const char *name) {
  if (module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (const auto &entry : module->kernels) {
    if (entry.second->name != name) continue;
    *function = reinterpret_cast<CUfunction>(entry.second);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

CUresult variableNamed(CUdeviceptr *address, size_t *bytes, Module *module, const char *name) {
  if (module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (const auto &entry : module->symbols) {
    if (entry.second->name != name) continue;
    if (address != nullptr) *address = addressOf(entry.second->address);
    if (bytes != nullptr) *bytes = entry.second->bytes;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

/** Arguments in one block, as `extra` of a launch gives them, by their places. */
std::vector<void *> argumentsIn(const Kernel &kernel, void **extra) {
  char *block = nullptr;
  for (size_t at = 0; extra[at] != CU_LAUNCH_PARAM_END; at += 2) {
    if (extra[at] == CU_LAUNCH_PARAM_BUFFER_POINTER) block = static_cast<char *>(extra[at + 1]);
  }
  std::vector<void *> arguments;
  for (const Parameter &parameter : kernel.parameters)
    arguments.push_back(block + parameter.offset);
  return arguments;
}

struct Launch {
  dim3 grid;
  dim3 block;
  unsigned sharedBytes;
  CUstream stream;
  void **extra;
};

CUresult launch(CUfunction function, const Launch &how, void **arguments) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<void *> places;
  if (arguments == nullptr && how.extra != nullptr) {
    places = argumentsIn(*kernelOf(function), how.extra);
    arguments = places.data();
  }
  return resultOf(cudaLaunchKernel(kernelOf(function), how.grid, how.block, arguments, how.sharedBytes,
                                   reinterpret_cast<cudaStream_t>(how.stream)));
}

} // namespace
} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return loadModule(reinterpret_cast<Module **>(module), image);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *, void **) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return loadFile(reinterpret_cast<Module **>(module), path);
}

CUresult cuModuleUnload(CUmodule module) {
  return module == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return kernelNamed(function, moduleOf(module), name);
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  return variableNamed(address, bytes, moduleOf(module), name);
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *, void **, unsigned,
                           CUlibraryOption *, void **, unsigned) {
  return loadModule(reinterpret_cast<Module **>(library), image);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *, void **, unsigned,
                               CUlibraryOption *, void **, unsigned) {
  return loadFile(reinterpret_cast<Module **>(library), path);
}

CUresult cuLibraryUnload(CUlibrary library) {
  return library == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return kernelNamed(reinterpret_cast<CUfunction *>(kernel), reinterpret_cast<Module *>(library), name);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  *module = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  return variableNamed(address, bytes, reinterpret_cast<Module *>(library), name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **arguments, void **extra) {
  return launch(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream, extra},
                arguments);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *how, CUfunction function, void **arguments, void **extra) {
  if (how->numAttrs > 0) {
    tell("cuLaunchKernelEx: the virtual GPU has no launch attributes in the driver API: the program gets "
         "CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return cuLaunchKernel(function, how->gridDimX, how->gridDimY, how->gridDimZ, how->blockDimX, how->blockDimY,
                        how->blockDimZ, how->sharedMemBytes, how->hStream, arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                   CUstream stream, void **arguments) {
  return resultOf(cudaLaunchCooperativeKernel(kernelOf(function), {gridX, gridY, gridZ},
                                              {blockX, blockY, blockZ}, arguments, sharedBytes,
                                              reinterpret_cast<cudaStream_t>(stream)));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  cudaFuncAttributes all;
  const CUresult result = resultOf(cudaFuncGetAttributes(&all, kernelOf(function)));
  if (result != CUDA_SUCCESS) return result;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = all.maxThreadsPerBlock;
    return result;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = static_cast<int>(all.sharedSizeBytes);
    return result;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = static_cast<int>(all.constSizeBytes);
    return result;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = static_cast<int>(all.localSizeBytes);
    return result;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = all.numRegs;
    return result;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value = all.ptxVersion;
    return result;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = all.binaryVersion;
    return result;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = all.maxDynamicSharedSizeBytes;
    return result;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

// The numbers of both APIs' settable attributes are the same.
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return resultOf(cudaFuncSetAttribute(kernelOf(function), static_cast<cudaFuncAttribute>(attribute), value));
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }

CUresult cuFuncGetName(const char **name, CUfunction function) {
  *name = kernelOf(function)->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t sharedBytes) {
  return resultOf(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernelOf(function), threads, sharedBytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                              size_t sharedBytes, unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, sharedBytes);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize sharedOf, size_t sharedBytes, int limit) {
  int most = 0;
  CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (limit > 0 && limit < most) most = limit;
  int resident = 0;
  // The largest block of those with the most resident threads.
  for (int threads = most; result == CUDA_SUCCESS && threads > 0;
       threads -= threads % 32 == 0 ? 32 : threads % 32) {
    int blocks = 0;
    result = cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, threads, sharedOf == nullptr ? sharedBytes : sharedOf(threads));
    if (blocks * threads <= resident) continue;
    resident = blocks * threads;
    *block = threads;
    *grid = blocks * device().attribute(cudaDevAttrMultiProcessorCount);
  }
  return result;
}

} // extern "C"
