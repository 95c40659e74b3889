// Graphs that are built node by node: making nodes, and reading and changing what they do.
#include <cstring>
#include <functional>

#include "graphs/graph-memory.hpp"
#include "graphs/graph.hpp"

using namespace kernelwright;

namespace {

/** Where a node is to be made. */
struct Spot {
  cudaGraphNode_t *node;
  cudaGraph_t graph;
  const cudaGraphNode_t *dependencies;
  size_t count;
};

cudaError_t add(const Spot &spot, const Task &task) {
  if (spot.node == nullptr || spot.graph == nullptr || (spot.dependencies == nullptr && spot.count > 0))
    return settle(cudaErrorInvalidValue);
  std::vector<Node *> dependencies;
  for (size_t index = 0; index < spot.count; ++index) {
    Node *dependency = nodeOf(spot.dependencies[index]);
    if (dependency == nullptr || dependency->graph != graphOf(spot.graph))
      return settle(cudaErrorInvalidValue);
    dependencies.push_back(dependency);
  }
  *spot.node = handleOf(&graphOf(spot.graph)->add(task, dependencies));
  return cudaSuccess;
}

template <typename Parameters> cudaError_t addMade(const Spot &spot, Parameters parameters) {
  Task task;
  const cudaError_t error = makeTask(task, parameters);
  return error == cudaSuccess ? add(spot, task) : error;
}

Task *taskOf(cudaGraphNode_t node) { return node == nullptr ? nullptr : &nodeOf(node)->task; }

template <typename Parameters> cudaError_t change(Task *task, Parameters parameters) {
  if (task == nullptr) return settle(cudaErrorInvalidValue);
  Task made = *task;
  const cudaError_t error = makeTask(made, parameters);
  return error == cudaSuccess ? replaceTask(task, made) : error;
}

/** The task of a node when it is of that kind. */
template <typename Kind> Kind *taskAs(cudaGraphNode_t node) {
  return node == nullptr ? nullptr : std::get_if<Kind>(&nodeOf(node)->task);
}

/** Hands out what a node of that kind holds; `part` is a member of the task, or makes it of the task. */
template <typename Kind, typename Value, typename Part>
cudaError_t read(cudaGraphNode_t node, Value *into, Part part) {
  Kind *task = taskAs<Kind>(node);
  if (task == nullptr || into == nullptr) return settle(cudaErrorInvalidValue);
  *into = std::invoke(part, *task);
  return cudaSuccess;
}

/** Pointers to the arguments that a kernel node holds, for as long as the node stays as it is. */
void **argumentsOf(KernelTask &task) {
  static thread_local std::vector<void *> pointers;
  pointers.clear();
  for (const size_t offset : task.offsets)
    pointers.push_back(task.parameters.data() + offset);
  return pointers.data();
}

cudaError_t setCooperative(KernelTask *task, cudaLaunchAttributeID attribute,
                           const cudaLaunchAttributeValue *value) {
  if (task == nullptr || value == nullptr) return settle(cudaErrorInvalidValue);
  if (attribute == cudaLaunchAttributeClusterDimension)
    task->cluster = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
  if (attribute == cudaLaunchAttributeCooperative) task->flags = value->cooperative != 0 ? kCooperative : 0;
  return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaKernelNodeParams *parameters) {
  return addMade({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemcpy3DParms *parameters) {
  return addMade({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind) {
  return add({node, graph, dependencies, count}, plainCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, size_t count,
                                           const void *shadow, const void *from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyToSymbol(task, shadow, from, bytes, offset, kind);
  return error == cudaSuccess ? add({node, graph, dependencies, count}, task) : error;
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies, size_t count, void *to,
                                             const void *shadow, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyFromSymbol(task, to, shadow, bytes, offset, kind);
  return error == cudaSuccess ? add({node, graph, dependencies, count}, task) : error;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemsetParams *parameters) {
  return addMade({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t count,
                                 const cudaHostNodeParams *parameters) {
  return addMade({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count, cudaGraph_t child) {
  return addMade({node, graph, dependencies, count}, child);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count) {
  return add({node, graph, dependencies, count}, EmptyTask{});
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t count,
                                        cudaEvent_t event) {
  return event == nullptr ? settle(cudaErrorInvalidValue)
                          : add({node, graph, dependencies, count}, RecordTask{event});
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t count, cudaEvent_t event) {
  return event == nullptr ? settle(cudaErrorInvalidValue)
                          : add({node, graph, dependencies, count}, WaitTask{event});
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *, size_t count, cudaGraphNodeParams *parameters) {
  const cudaError_t error =
      addMade({node, graph, dependencies, count}, static_cast<const cudaGraphNodeParams *>(parameters));
  const AllocateTask *made = error == cudaSuccess ? taskAs<AllocateTask>(*node) : nullptr;
  if (made != nullptr) parameters->alloc.dptr = made->memory->parameters.dptr;
  ConditionalTask *choice = error == cudaSuccess ? taskAs<ConditionalTask>(*node) : nullptr;
  if (choice != nullptr) parameters->conditional.phGraph_out = choice->handles.data();
  return error;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *parameters) {
  return read<KernelTask>(node, parameters, [](KernelTask &task) {
    const auto sharedBytes = static_cast<unsigned>(task.sharedBytes);
    void *function = const_cast<void *>(task.function);
    return cudaKernelNodeParams{function, task.grid, task.block, sharedBytes, argumentsOf(task), nullptr};
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *parameters) {
  return read<CopyTask>(node, parameters, &CopyTask::box);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *parameters) {
  return read<FillTask>(node, parameters, &FillTask::area);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *parameters) {
  return read<HostTask>(node, parameters,
                        [](const HostTask &task) { return cudaHostNodeParams{task.function, task.data}; });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  return read<ChildTask>(node, graph, [](const ChildTask &task) { return handleOf(task.graph.get()); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return read<RecordTask>(node, event, &RecordTask::event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return read<WaitTask>(node, event, &WaitTask::event);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *parameters) {
  return change(taskOf(node), parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *parameters) {
  return change(taskOf(node), parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *parameters) {
  return change(taskOf(node), parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *parameters) {
  return change(taskOf(node), parameters);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters) {
  return change(taskOf(node), static_cast<const cudaGraphNodeParams *>(parameters));
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replaceTask(taskOf(node), RecordTask{event});
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replaceTask(taskOf(node), WaitTask{event});
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return replaceTask(taskOf(node), plainCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *shadow, const void *from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyToSymbol(task, shadow, from, bytes, offset, kind);
  return error == cudaSuccess ? replaceTask(taskOf(node), task) : error;
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *shadow,
                                                   size_t bytes, size_t offset, cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyFromSymbol(task, to, shadow, bytes, offset, kind);
  return error == cudaSuccess ? replaceTask(taskOf(node), task) : error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters) {
  return change(taskIn(executable, node), parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *parameters) {
  return change(taskIn(executable, node), parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams *parameters) {
  return change(taskIn(executable, node), parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams *parameters) {
  return change(taskIn(executable, node), parameters);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams *parameters) {
  return change(taskIn(executable, node), static_cast<const cudaGraphNodeParams *>(parameters));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return change(taskIn(executable, node), child);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return replaceTask(taskIn(executable, node), RecordTask{event});
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return replaceTask(taskIn(executable, node), WaitTask{event});
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes, cudaMemcpyKind kind) {
  return replaceTask(taskIn(executable, node), plainCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const void *shadow, const void *from, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyToSymbol(task, shadow, from, bytes, offset, kind);
  return error == cudaSuccess ? replaceTask(taskIn(executable, node), task) : error;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       void *to, const void *shadow, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  CopyTask task;
  const cudaError_t error = copyFromSymbol(task, to, shadow, bytes, offset, kind);
  return error == cudaSuccess ? replaceTask(taskIn(executable, node), task) : error;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     cudaMemAllocNodeParams *parameters) {
  const cudaError_t error =
      addMade({node, graph, dependencies, count}, static_cast<const cudaMemAllocNodeParams *>(parameters));
  if (error == cudaSuccess) parameters->dptr = taskAs<AllocateTask>(*node)->memory->parameters.dptr;
  return error;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *parameters) {
  return read<AllocateTask>(node, parameters,
                            [](const AllocateTask &task) { return task.memory->parameters; });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count, void *pointer) {
  Task task;
  const cudaError_t error = makeFreeTask(task, pointer);
  return error == cudaSuccess ? add({node, graph, dependencies, count}, task) : error;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
  return read<FreeTask>(node, static_cast<void **>(pointer), &FreeTask::pointer);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value) {
  return setCooperative(taskAs<KernelTask>(node), attribute, value);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue *value) {
  const KernelTask *task = taskAs<KernelTask>(node);
  if (task == nullptr || value == nullptr) return settle(cudaErrorInvalidValue);
  std::memset(value, 0, sizeof *value);
  if (attribute == cudaLaunchAttributeCooperative)
    value->cooperative = static_cast<int>(task->flags & kCooperative);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  KernelTask *target = taskAs<KernelTask>(to);
  const KernelTask *source = taskAs<KernelTask>(from);
  if (target == nullptr || source == nullptr) return settle(cudaErrorInvalidValue);
  target->flags = source->flags;
  return cudaSuccess;
}

} // extern "C"
