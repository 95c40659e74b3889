// What can be issued to a stream, done at once or kept in a graph.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/protocol.hpp"

namespace kernelwright {

struct Graph;

constexpr uint32_t kCooperative = protocol::LaunchFlags::cooperative;
/** May begin before the launch before it in its stream has ended. */
constexpr uint32_t kProgrammatic = protocol::LaunchFlags::programmatic;

/** A cluster may have more than 8 blocks. */
constexpr uint32_t kLargeClusters = protocol::LaunchFlags::largeClusters;

/** A launch with a copy of its arguments. */
struct KernelTask {
  const void *function = nullptr;
  dim3 grid;
  dim3 block;
  size_t sharedBytes = 0;
  uint32_t flags = 0;
  /** The launch in the user's code, as the protocol's `where`. */
  std::string where;
  /** The parameters as the kernel reads them. */
  std::vector<char> parameters;
  std::vector<size_t> offsets;
  /** Blocks of a cluster by axis; zeroes: what the kernel says, or none. */
  dim3 cluster{0, 0, 0};
  /** Where it was issued; null, too, for nodes that a program has added to a graph. */
  cudaStream_t stream = nullptr;
};

/** A copy of one row, of a rectangle or of a box. */
struct CopyTask {
  cudaMemcpy3DParms box;
};

struct FillTask {
  cudaMemsetParams area;
};

struct HostTask {
  cudaHostFn_t function;
  void *data;
};

/** The tasks of a graph, which is this task's own. */
struct ChildTask {
  std::shared_ptr<Graph> graph;
};

struct EmptyTask {};

struct WaitTask {
  cudaEvent_t event;
};

struct RecordTask {
  cudaEvent_t event;
};

struct GraphMemory;

/** Hands the program memory that its graph holds; see graph-memory.hpp. */
struct AllocateTask {
  std::shared_ptr<GraphMemory> memory;
};

struct FreeTask {
  void *pointer;
};

/** Runs one of its graphs, or its only one again and again, by a condition that kernels set. */
struct ConditionalTask {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  /** This task's own. */
  std::vector<std::shared_ptr<Graph>> bodies;
  /** The bodies as the program gets them. */
  std::vector<cudaGraph_t> handles;
};

/** In the order of cudaGraphNodeType, without its kinds for semaphores and batches of memory operations. */
using Task = std::variant<KernelTask, CopyTask, FillTask, HostTask, ChildTask, EmptyTask, WaitTask,
                          RecordTask, AllocateTask, FreeTask, ConditionalTask>;

/** Fills in a launch from pointers to its arguments, as cudaLaunchKernel takes them. */
cudaError_t makeKernelTask(KernelTask &task, void *const *arguments);
/** Does the task now. */
cudaError_t perform(const Task &task);
cudaError_t perform(const KernelTask &task);
cudaError_t perform(const CopyTask &task);
cudaError_t perform(const FillTask &task);
cudaError_t perform(const HostTask &task);
cudaError_t perform(const ChildTask &task);
cudaError_t perform(const AllocateTask &task);
cudaError_t perform(const FreeTask &task);
cudaError_t perform(const ConditionalTask &task);
/** Does all tasks of a graph. */
cudaError_t perform(const Graph &graph);

/** A copy of `bytes` that follow each other. */
CopyTask plainCopy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
/** The same to or from a variable of the program. */
cudaError_t copyToSymbol(CopyTask &task, const void *shadow, const void *from, size_t bytes, size_t offset,
                         cudaMemcpyKind kind);
cudaError_t copyFromSymbol(CopyTask &task, void *to, const void *shadow, size_t bytes, size_t offset,
                           cudaMemcpyKind kind);

/** Does the task, or keeps it when the stream captures. */
cudaError_t issue(cudaStream_t stream, const Task &task);

} // namespace kernelwright
