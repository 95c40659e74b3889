#include "graphs/conditions.hpp"

#include "device/allocations.hpp"
#include "graphs/graph.hpp"
#include "memory/operands.hpp"

namespace kernelwright {
namespace {

cudaError_t read(cudaGraphConditionalHandle handle, unsigned &value) {
  return readOperand(&value, {reinterpret_cast<char *>(handle), 0}, {sizeof value, 1});
}

cudaError_t write(const Condition &condition, unsigned value) {
  return writeOperand({static_cast<char *>(condition.value), 0}, &value, {sizeof value, 1});
}

/** The body that a value chooses; null for none. */
const Graph *bodyFor(const ConditionalTask &task, unsigned value) {
  size_t body = value;
  if (task.type != cudaGraphCondTypeSwitch) body = value != 0 ? 0 : 1;
  return body < task.bodies.size() ? task.bodies[body].get() : nullptr;
}

} // namespace

Condition::~Condition() {
  if (value != nullptr) release(value);
}

cudaError_t makeTask(Task &task, const cudaConditionalNodeParams &parameters) {
  const bool isSwitch = parameters.type == cudaGraphCondTypeSwitch;
  const unsigned most = parameters.type == cudaGraphCondTypeIf ? 2 : 1;
  if (parameters.handle == 0 || parameters.size == 0 || (!isSwitch && parameters.size > most))
    return settle(cudaErrorInvalidValue);
  ConditionalTask made = {parameters.handle, parameters.type, {}, {}};
  for (unsigned body = 0; body < parameters.size; ++body) {
    made.bodies.push_back(std::make_shared<Graph>());
    made.handles.push_back(handleOf(made.bodies.back().get()));
  }
  task = made;
  return cudaSuccess;
}

cudaError_t startConditions(const Graph &graph) {
  for (const std::shared_ptr<Condition> &each : graph.conditions) {
    const cudaError_t error = each->isSetByLaunch ? write(*each, each->start) : cudaSuccess;
    if (error != cudaSuccess) return error;
  }
  for (const Node &node : graph.nodes) {
    cudaError_t error = cudaSuccess;
    if (const auto *child = std::get_if<ChildTask>(&node.task)) error = startConditions(*child->graph);
    if (const auto *choice = std::get_if<ConditionalTask>(&node.task))
      for (const std::shared_ptr<Graph> &body : choice->bodies)
        error = error == cudaSuccess ? startConditions(*body) : error;
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t perform(const ConditionalTask &task) {
  unsigned value = 0;
  cudaError_t error = read(task.handle, value);
  for (const Graph *body = bodyFor(task, value); error == cudaSuccess && body != nullptr;) {
    error = perform(*body);
    if (error != cudaSuccess || task.type != cudaGraphCondTypeWhile) return error;
    error = read(task.handle, value);
    body = bodyFor(task, value);
  }
  return error;
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned start, unsigned flags) {
  if (handle == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  auto made = std::make_shared<Condition>();
  cudaError_t error = allocate(&made->value, sizeof(unsigned), "condition of a graph");
  if (error == cudaSuccess) error = write(*made, start);
  if (error != cudaSuccess) return error;
  made->start = start;
  made->isSetByLaunch = (flags & cudaGraphCondAssignDefault) != 0;
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(made->value);
  graphOf(graph)->conditions.push_back(std::move(made));
  return cudaSuccess;
}

} // extern "C"
