// Memory nodes of graphs.
#include "graphs/graph-memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "device/allocations.hpp"

namespace kernelwright {
namespace {

struct Figures {
  uint64_t now = 0;
  uint64_t highest = 0;

  void add(uint64_t bytes) { highest = std::max(highest, now += bytes); }
};

struct GraphMemories {
  std::recursive_mutex mutex;
  std::map<void *, std::weak_ptr<GraphMemory>> known;
  /** What is the program's stays when its graph goes. */
  std::map<void *, std::shared_ptr<GraphMemory>> live;
  Figures used;
  Figures reserved;
};

GraphMemories &memories() {
  // Never destroyed: graphs may go at the program's end.
  static auto *kept = new GraphMemories;
  return *kept;
}

} // namespace

GraphMemory::~GraphMemory() {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  if (all.known.erase(parameters.dptr) == 0) return;
  all.reserved.now -= parameters.bytesize;
  release(parameters.dptr);
}

cudaError_t makeTask(Task &task, const cudaMemAllocNodeParams *parameters) {
  if (parameters == nullptr || parameters->bytesize == 0) return settle(cudaErrorInvalidValue);
  if (parameters->poolProps.location.type != cudaMemLocationTypeDevice)
    return lacking("memory nodes of graphs outside of the device");
  if (parameters->poolProps.location.id != 0) return settle(cudaErrorInvalidDevice);
  auto memory = std::make_shared<GraphMemory>();
  memory->parameters = *parameters;
  memory->parameters.dptr = nullptr;
  void *address = nullptr;
  const cudaError_t error = allocate(&address, parameters->bytesize, "allocation of a graph");
  if (error != cudaSuccess) return error;
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  memory->parameters.dptr = address;
  all.known[address] = memory;
  all.reserved.add(parameters->bytesize);
  task = AllocateTask{memory};
  return cudaSuccess;
}

cudaError_t makeFreeTask(Task &task, void *pointer) {
  if (!isOfGraph(pointer)) return settle(cudaErrorInvalidValue);
  task = FreeTask{pointer};
  return cudaSuccess;
}

bool isOfGraph(void *pointer) {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  return pointer != nullptr && all.known.count(pointer) > 0;
}

cudaError_t freeOfGraph(void *pointer) {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  const auto found = all.live.find(pointer);
  if (found == all.live.end()) return settle(cudaErrorInvalidValue);
  // It may go with its last owner here.
  const std::shared_ptr<GraphMemory> memory = found->second;
  memory->isLive = false;
  all.used.now -= memory->parameters.bytesize;
  all.live.erase(found);
  return cudaSuccess;
}

uint64_t graphMemoryFigure(cudaGraphMemAttributeType figure) {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  switch (figure) {
  case cudaGraphMemAttrUsedMemCurrent:
    return all.used.now;
  case cudaGraphMemAttrUsedMemHigh:
    return all.used.highest;
  case cudaGraphMemAttrReservedMemCurrent:
    return all.reserved.now;
  default:
    return all.reserved.highest;
  }
}

void forgetHighest() {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  all.used.highest = all.used.now;
  all.reserved.highest = all.reserved.now;
}

cudaError_t perform(const AllocateTask &task) {
  GraphMemories &all = memories();
  const std::lock_guard lock(all.mutex);
  // A launch may not allocate what an earlier one left to the program.
  if (task.memory->isLive) return settle(cudaErrorInvalidValue);
  task.memory->isLive = true;
  all.live[task.memory->parameters.dptr] = task.memory;
  all.used.add(task.memory->parameters.bytesize);
  return cudaSuccess;
}

cudaError_t perform(const FreeTask &task) { return freeOfGraph(task.pointer); }

} // namespace kernelwright
