// What the parts of the runtime share: the device as it introduced itself, modules, kernels, errors and
// places in the user's code.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <string>
#include <vector>

#include "device/connection.hpp"

/** The function that programs with a default stream for each thread call. It is the same: such a stream
 * counts as the default stream of all, which has more order. */
#define PER_THREAD(name, suffix) decltype(name) name##suffix __attribute__((alias(#name)));

namespace kernelwright {

/** What the device said of itself. */
struct DeviceFacts {
  bool sanitizes = false;
  bool profiles = false;
  std::string name;
  uint64_t memoryBytes = 0;
  uint64_t windowBase = 0;
  uint64_t windowBytes = 0;
  std::map<int, int> attributes;

  int attribute(int number) const {
    const auto found = attributes.find(number);
    return found == attributes.end() ? 0 : found->second;
  }
  /** True for every address that device memory can have. */
  bool owns(const void *pointer) const {
    return reinterpret_cast<uintptr_t>(pointer) - windowBase < windowBytes;
  }
};

/** An address as the protocol carries it. */
inline uint64_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/** Greets the device with the first call and reserves its addresses in this process. */
const DeviceFacts &device();
/** Makes the device's own context current, as the runtime's calls do; the driver API asks for it. */
void usePrimaryContext();
bool usesPrimaryContext();

struct Parameter {
  uint32_t offset;
  uint32_t size;
};

struct Module;

/** One `__global__` function of the program. */
struct Kernel {
  Module *module = nullptr;
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t staticSharedBytes = 0;
  uint32_t localBytes = 0;
  uint32_t registers = 0;
  uint32_t maxThreads = 0;
  /** What cudaFuncSetAttribute allowed. */
  uint32_t dynamicSharedLimit = 0;
  /** Its clusters may have more than 8 blocks. */
  bool largeClusters = false;
  bool found = false;
};

/** One `__device__`, `__constant__` or `__managed__` variable of the program. */
struct Symbol {
  Module *module = nullptr;
  std::string name;
  uint64_t bytes = 0;
  void *address = nullptr;
  /** For a managed variable: the program's pointer to it, which has to be filled in. */
  void **managedPointer = nullptr;
};

/** A fat binary that the program brought along. It is sent to the device with the first use of anything in
 * it. */
struct Module {
  const void *image = nullptr;
  uint64_t handle = 0;
  cudaError_t problem = cudaSuccess;
  bool loaded = false;
  std::map<const void *, Kernel *> kernels;
  std::map<const void *, Symbol *> symbols;
};

/** Loads the module unless it is loaded; what went wrong the first time is the answer every time. */
cudaError_t load(Module &module);
/** The kernel behind a host function or a cudaKernel_t, loaded; null with the error set when there is none.
 */
cudaError_t findKernel(const void *function, Kernel **kernel);
/** The variable behind its host shadow, loaded. */
cudaError_t findSymbol(const void *shadow, Symbol **symbol);

/** Remembers an error for cudaGetLastError and gives it back. A context that is broken stays so. */
cudaError_t settle(int status);
/** Tells the user what of the runtime the virtual GPU lacks, and the program that it is not supported; the
 * context stays whole. */
cudaError_t lacking(const char *what);
/** Has the user told something about the place where the program is. */
void tell(const std::string &message);
inline cudaError_t settle(const Reply &reply) { return settle(reply.status); }

/** Code addresses of the callers in the program, as the protocol's `where`. */
std::string callers();
/** The same for one return address. */
std::string place(const void *returnAddress);

/** A call that the program should not have made: a sanitizer tells of it. Gives the error back, settled. */
cudaError_t misused(cudaError_t error, const std::string &what);

/** Waits for everything that was launched, prints what kernels printed and makes shared memory current.
 * `where`: the place of a call whose purpose is to wait. */
cudaError_t synchronize(const std::string &where = "");

} // namespace kernelwright
