// What the code that nvcc generates calls before main: fat binaries, kernels and variables are noted here and
// sent with their first use.
#include <list>
#include <mutex>

#include "modules/fatbinary.hpp"
#include "device/runtime.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

struct Registry {
  std::recursive_mutex mutex;
  std::list<Module> modules;
  std::list<Kernel> kernels;
  std::list<Symbol> symbols;
};

Registry &registry() {
  // Never destroyed: static objects of the program may still use it at the end.
  static auto *all = new Registry;
  return *all;
}

void readKernels(Module &module, Reply &reply) {
  std::map<std::string, Kernel> known;
  for (uint32_t count = reply.count(); count > 0; --count) {
    Kernel facts;
    facts.name = reply.text();
    facts.staticSharedBytes = reply.count();
    facts.localBytes = reply.count();
    facts.registers = reply.count();
    facts.maxThreads = reply.count();
    for (uint32_t parameters = reply.count(); parameters > 0; --parameters) {
      const uint32_t offset = reply.count();
      const uint32_t size = reply.count();
      facts.parameters.push_back({offset, size});
      if (offset + size > facts.parameterBytes) facts.parameterBytes = offset + size;
    }
    facts.found = true;
    known[facts.name] = facts;
  }
  for (auto &entry : module.kernels) {
    const auto found = known.find(entry.second->name);
    if (found == known.end()) continue;
    *entry.second = found->second;
    entry.second->module = &module;
  }
}

cudaError_t readVariables(Module &module, Reply &reply) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> known;
  for (uint32_t count = reply.count(); count > 0; --count) {
    const std::string name = reply.text();
    const uint64_t address = reply.wide();
    known[name] = {address, reply.wide()};
    reply.count();
  }
  for (auto &entry : module.symbols) {
    Symbol &symbol = *entry.second;
    const auto found = known.find(symbol.name);
    if (found == known.end()) continue;
    symbol.address = reinterpret_cast<void *>(found->second.first);
    if (symbol.managedPointer == nullptr) continue;
    if (!shareVariable(found->second.first, found->second.second)) return cudaErrorMemoryAllocation;
    *symbol.managedPointer = symbol.address;
  }
  return cudaSuccess;
}

/** Files in the order in which they were linked; the device refuses one without PTX. */
void writeParts(Request &request, const FatBinary &binary) {
  const std::vector<FatBinary> parts = binary.linked ? binary.parts : std::vector<FatBinary>{binary};
  request.count(static_cast<uint32_t>(parts.size()));
  for (const FatBinary &part : parts)
    request.text(part.name).text(part.ptx);
}

} // namespace

cudaError_t load(Module &module) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (module.loaded) return module.problem;
  device();
  module.loaded = true;
  const FatBinary binary = readFatBinary(module.image);
  const bool whole = !binary.linked && !binary.ptx.empty();
  Request request;
  if (whole)
    request.text(binary.ptx);
  else
    writeParts(request, binary);
  Reply reply = exchange(whole ? kLoad : kLink, request.data(binary.cubin.data(), binary.cubin.size()));
  if (reply.status != 0) return module.problem = static_cast<cudaError_t>(reply.status);
  module.handle = reply.wide();
  readKernels(module, reply);
  return module.problem = readVariables(module, reply);
}

cudaError_t findKernel(const void *function, Kernel **kernel) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  Kernel *found = nullptr;
  for (Kernel &each : all.kernels) {
    if (&each == function) found = &each;
  }
  for (Module &module : all.modules) {
    const auto entry = module.kernels.find(function);
    if (entry != module.kernels.end()) found = entry->second;
  }
  if (found == nullptr) return settle(cudaErrorInvalidDeviceFunction);
  const cudaError_t loaded = load(*found->module);
  if (loaded != cudaSuccess) return settle(loaded);
  if (!found->found) return settle(cudaErrorInvalidDeviceFunction);
  *kernel = found;
  return cudaSuccess;
}

cudaError_t findSymbol(const void *shadow, Symbol **symbol) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  for (Module &module : all.modules) {
    const auto entry = module.symbols.find(shadow);
    if (entry == module.symbols.end()) continue;
    const cudaError_t loaded = load(module);
    if (loaded != cudaSuccess) return settle(loaded);
    if (entry->second->address == nullptr) return settle(cudaErrorInvalidSymbol);
    *symbol = entry->second;
    return cudaSuccess;
  }
  return settle(cudaErrorInvalidSymbol);
}

} // namespace kernelwright

using namespace kernelwright;

namespace {

Module &moduleOf(void **handle) { return *reinterpret_cast<Module *>(handle); }

void addSymbol(void **handle, const void *shadow, const Symbol &symbol) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  all.symbols.push_back(symbol);
  moduleOf(handle).symbols[shadow] = &all.symbols.back();
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *image) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  all.modules.emplace_back();
  all.modules.back().image = image;
  return reinterpret_cast<void **>(&all.modules.back());
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **handle, const char *function, char *, const char *name, int, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  Kernel kernel;
  kernel.module = &moduleOf(handle);
  kernel.name = name;
  all.kernels.push_back(kernel);
  moduleOf(handle).kernels[function] = &all.kernels.back();
}

void __cudaRegisterVar(void **handle, char *shadow, char *, const char *name, int, size_t bytes, int, int) {
  Symbol symbol;
  symbol.module = &moduleOf(handle);
  symbol.name = name;
  symbol.bytes = bytes;
  addSymbol(handle, shadow, symbol);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *, const char *name, int, size_t bytes, int,
                              int) {
  Symbol symbol;
  symbol.module = &moduleOf(handle);
  symbol.name = name;
  symbol.bytes = bytes;
  symbol.managedPointer = pointer;
  addSymbol(handle, pointer, symbol);
}

char __cudaInitModule(void **handle) { return static_cast<char>(load(moduleOf(handle)) == cudaSuccess); }

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  for (Module &module : all.modules) {
    const auto entry = module.kernels.find(function);
    if (entry == module.kernels.end()) continue;
    *kernel = reinterpret_cast<cudaKernel_t>(entry->second);
    return cudaSuccess;
  }
  return settle(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  return __cudaGetKernel(kernel, function);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *shadow) {
  Symbol *symbol = nullptr;
  const cudaError_t error = findSymbol(shadow, &symbol);
  if (error == cudaSuccess) *pointer = symbol->address;
  return error;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *shadow) {
  Symbol *symbol = nullptr;
  const cudaError_t error = findSymbol(shadow, &symbol);
  if (error == cudaSuccess) *size = symbol->bytes;
  return error;
}

} // extern "C"
