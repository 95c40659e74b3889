// Memory that graphs allocate. Its address is fixed when the node is made; it is the program's from a launch
// of that node until it is freed, by a node or by a call.
#pragma once

#include "graphs/tasks.hpp"

namespace kernelwright {

struct GraphMemory {
  cudaMemAllocNodeParams parameters = {};
  /** Allocated by a launch and not freed since. */
  bool isLive = false;

  GraphMemory() = default;
  GraphMemory(const GraphMemory &) = delete;
  ~GraphMemory();
};

/** Makes the memory of a node; its address stands in `parameters.dptr`. */
cudaError_t makeTask(Task &task, const cudaMemAllocNodeParams *parameters);
/** What frees the memory of a graph. */
cudaError_t makeFreeTask(Task &task, void *pointer);
/** Whether a pointer is that of a graph's memory. */
bool isOfGraph(void *pointer);
/** Frees the memory of a graph that is the program's. */
cudaError_t freeOfGraph(void *pointer);
/** What graphs hold, as cudaDeviceGetGraphMemAttribute gives it. */
uint64_t graphMemoryFigure(cudaGraphMemAttributeType figure);
/** Begins to count the highest figures anew. */
void forgetHighest();

} // namespace kernelwright
