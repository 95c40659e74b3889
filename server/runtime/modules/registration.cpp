// What the code that nvcc generates calls before main: fat binaries, kernels and variables are noted here and
// sent with their first use.
#include <algorithm>
#include <list>
#include <mutex>

#include "modules/fatbinary.hpp"
#include "device/runtime.hpp"
#include "graphs/waiting-work.hpp"
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

/** A name without the number by which the compiler tells files apart, in names of unnamed namespaces: what
 * runs in place of the program's own code was compiled apart. */
std::string withoutFileNumber(std::string name) {
  for (const std::string &mark : {std::string("_GLOBAL__N__"), std::string("_INTERNAL_")}) {
    for (size_t at = name.find(mark); at != std::string::npos; at = name.find(mark, at + 1)) {
      const size_t from = at + mark.size();
      const size_t to = name.find_first_not_of("0123456789abcdef", from);
      if (to == from + 8 && name[to] == '_') name.replace(from, 8, 8, '0');
    }
  }
  return name;
}

/** What the device knows under a name. */
template <class Facts> using Known = std::map<std::string, const Facts *>;

template <class Facts> Known<Facts> byName(const std::vector<Facts> &all) {
  Known<Facts> known;
  for (const Facts &facts : all) {
    known[facts.name] = &facts;
    known.emplace(withoutFileNumber(facts.name), &facts);
  }
  return known;
}

template <class Facts> const Facts *find(const Known<Facts> &known, const std::string &name) {
  const auto exact = known.find(name);
  if (exact != known.end()) return exact->second;
  const auto similar = known.find(withoutFileNumber(name));
  return similar == known.end() ? nullptr : similar->second;
}

void findKernels(Module &module, const std::vector<protocol::KernelFacts> &kernels) {
  const auto known = byName(kernels);
  for (auto &entry : module.kernels) {
    Kernel &kernel = *entry.second;
    const protocol::KernelFacts *found = find(known, kernel.name);
    if (found == nullptr) continue;
    const protocol::KernelFacts &facts = *found;
    Kernel filled;
    filled.module = &module;
    filled.name = facts.name;
    filled.staticSharedBytes = facts.sharedBytes;
    filled.localBytes = facts.localBytes;
    filled.registers = facts.registers;
    filled.maxThreads = facts.maxThreads;
    filled.found = true;
    for (const protocol::ParameterPlace &place : facts.parameters) {
      filled.parameters.push_back({place.offset, place.bytes});
      filled.parameterBytes = std::max(filled.parameterBytes, place.offset + place.bytes);
    }
    kernel = filled;
  }
}

cudaError_t findVariables(Module &module, const std::vector<protocol::VariableFacts> &variables) {
  const auto known = byName(variables);
  for (auto &entry : module.symbols) {
    Symbol &symbol = *entry.second;
    const protocol::VariableFacts *found = find(known, symbol.name);
    if (found == nullptr) continue;
    const protocol::VariableFacts &facts = *found;
    symbol.address = reinterpret_cast<void *>(facts.address);
    if (symbol.managedPointer == nullptr) continue;
    if (!shareVariable(facts.address, facts.bytes)) return cudaErrorMemoryAllocation;
    notePinned();
    *symbol.managedPointer = symbol.address;
  }
  return cudaSuccess;
}

/** Asks for the module: of one file, or of several in the order in which they were linked. The device refuses
 * a file without PTX. */
Request requestFor(const FatBinary &binary) {
  const char *cubin = binary.cubin.data();
  if (!binary.linked && !binary.ptx.empty())
    return protocol::loadRequest(binary.ptx, cubin, binary.cubin.size());
  const std::vector<FatBinary> files = binary.linked ? binary.parts : std::vector<FatBinary>{binary};
  std::vector<protocol::SourcePart> parts;
  for (const FatBinary &file : files)
    parts.push_back({file.name, file.ptx});
  return protocol::linkRequest(parts, cubin, binary.cubin.size());
}

} // namespace

cudaError_t load(Module &module) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (module.loaded) return module.problem;
  device();
  module.loaded = true;
  const FatBinary binary = readFatBinary(module.image);
  protocol::ModuleContent content;
  const int status = ask(requestFor(binary), content);
  if (status != 0) return module.problem = static_cast<cudaError_t>(status);
  module.handle = content.module;
  findKernels(module, content.kernels);
  return module.problem = findVariables(module, content.variables);
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

cudaError_t loadImage(const FatBinary &binary, Module **module) {
  Registry &all = registry();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  device();
  protocol::ModuleContent content;
  const int status = ask(requestFor(binary), content);
  if (status != 0) return settle(status);
  all.modules.emplace_back();
  Module &made = all.modules.back();
  made.handle = content.module;
  made.loaded = true;
  for (const protocol::KernelFacts &facts : content.kernels) {
    all.kernels.emplace_back();
    all.kernels.back().name = facts.name;
    made.kernels[&all.kernels.back()] = &all.kernels.back();
  }
  for (const protocol::VariableFacts &facts : content.variables) {
    all.symbols.emplace_back();
    Symbol &symbol = all.symbols.back();
    symbol.module = &made;
    symbol.name = facts.name;
    symbol.bytes = facts.bytes;
    made.symbols[&symbol] = &symbol;
  }
  findKernels(made, content.kernels);
  *module = &made;
  return findVariables(made, content.variables);
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
