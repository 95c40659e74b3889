// What the parameters of a graph node mean: the task that the node performs.
#include "graphs/graph-memory.hpp"
#include "graphs/graph.hpp"

namespace kernelwright {

cudaError_t makeTask(Task &task, const cudaKernelNodeParams *parameters) {
  if (parameters == nullptr) return settle(cudaErrorInvalidValue);
  if (parameters->extra != nullptr) return lacking("arguments in one block (extra) of a kernel node");
  KernelTask made;
  made.function = parameters->func;
  made.grid = parameters->gridDim;
  made.block = parameters->blockDim;
  made.sharedBytes = parameters->sharedMemBytes;
  if (const KernelTask *before = std::get_if<KernelTask>(&task)) made.flags = before->flags;
  made.where = callers();
  const cudaError_t error = makeKernelTask(made, parameters->kernelParams);
  if (error == cudaSuccess) task = made;
  return error;
}

cudaError_t makeTask(Task &task, const cudaMemcpy3DParms *parameters) {
  if (parameters == nullptr) return settle(cudaErrorInvalidValue);
  task = CopyTask{*parameters};
  return cudaSuccess;
}

cudaError_t makeTask(Task &task, const cudaMemsetParams *parameters) {
  if (parameters == nullptr) return settle(cudaErrorInvalidValue);
  const unsigned bytes = parameters->elementSize;
  if ((bytes != 1 && bytes != 2 && bytes != 4) || parameters->width == 0 || parameters->height == 0)
    return settle(cudaErrorInvalidValue);
  task = FillTask{*parameters};
  return cudaSuccess;
}

cudaError_t makeTask(Task &task, const cudaHostNodeParams *parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return settle(cudaErrorInvalidValue);
  task = HostTask{parameters->fn, parameters->userData};
  return cudaSuccess;
}

cudaError_t makeTask(Task &task, cudaGraph_t child) {
  if (child == nullptr) return settle(cudaErrorInvalidValue);
  task = ChildTask{graphOf(child)->clone()};
  return cudaSuccess;
}

cudaError_t makeTask(Task &task, const cudaGraphNodeParams *parameters) {
  if (parameters == nullptr) return settle(cudaErrorInvalidValue);
  switch (parameters->type) {
  case cudaGraphNodeTypeKernel: {
    const auto &given = parameters->kernel;
    const cudaKernelNodeParams plain = {given.func,           given.gridDim,      given.blockDim,
                                        given.sharedMemBytes, given.kernelParams, given.extra};
    return makeTask(task, &plain);
  }
  case cudaGraphNodeTypeMemcpy:
    return makeTask(task, &parameters->memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    const auto &given = parameters->memset;
    const cudaMemsetParams plain = {given.dst,         given.pitch, given.value,
                                    given.elementSize, given.width, given.height};
    return makeTask(task, &plain);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams plain = {parameters->host.fn, parameters->host.userData};
    return makeTask(task, &plain);
  }
  case cudaGraphNodeTypeGraph:
    return makeTask(task, parameters->graph.graph);
  case cudaGraphNodeTypeEmpty:
    task = EmptyTask{};
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    task = WaitTask{parameters->eventWait.event};
    return cudaSuccess;
  case cudaGraphNodeTypeEventRecord:
    task = RecordTask{parameters->eventRecord.event};
    return cudaSuccess;
  case cudaGraphNodeTypeMemAlloc: {
    const auto &given = parameters->alloc;
    const cudaMemAllocNodeParams plain = {given.poolProps, given.accessDescs, given.accessDescCount,
                                          given.bytesize, nullptr};
    return makeTask(task, &plain);
  }
  case cudaGraphNodeTypeMemFree:
    return makeFreeTask(task, parameters->free.dptr);
  case cudaGraphNodeTypeConditional:
    return makeTask(task, parameters->conditional);
  default:
    return lacking("nodes of this kind in graphs");
  }
}

cudaError_t replaceTask(Task *task, const Task &replacement) {
  if (task == nullptr || task->index() != replacement.index()) return settle(cudaErrorInvalidValue);
  *task = replacement;
  return cudaSuccess;
}

} // namespace kernelwright
