// Conditions of graphs: numbers that kernels set, and what a node does by them.
#pragma once

#include "graphs/tasks.hpp"

namespace kernelwright {

/** A number of 32 bits in device memory, whose address is the program's handle. */
struct Condition {
  void *value = nullptr;
  /** What a launch of the graph sets it to, if it does. */
  unsigned start = 0;
  bool isSetByLaunch = false;

  Condition() = default;
  Condition(const Condition &) = delete;
  ~Condition();
};

/** What a conditional node does. Its bodies are filled by the program after the node is made. */
cudaError_t makeTask(Task &task, const cudaConditionalNodeParams &parameters);
/** Sets the conditions of a graph and of all in it, as a launch does. */
cudaError_t startConditions(const Graph &graph);

} // namespace kernelwright
