// Graphs: tasks and what has to be done before each.
#pragma once

#include <list>
#include <map>

#include "device/runtime.hpp"
#include "entry/kept-things.hpp"
#include "graphs/conditions.hpp"
#include "graphs/tasks.hpp"

namespace kernelwright {

struct Node {
  Graph *graph;
  Task task;
  std::vector<Node *> dependencies;
  /** The node that this one is a copy of. */
  const Node *origin = nullptr;
};

/** Something of the program's that lives as long as anything refers to it. */
struct UserObject {
  void *pointer;
  cudaHostFn_t destroy;
  unsigned references;

  void release(unsigned count);
};

struct Graph {
  /** In the order in which they were made. Addresses of nodes are the program's handles. */
  std::list<Node> nodes;
  std::map<UserObject *, unsigned> objects;
  std::vector<std::shared_ptr<Condition>> conditions;

  Graph() { ++liveThings.graphs; }
  Graph(const Graph &) = delete;
  ~Graph();

  Node &add(const Task &task, const std::vector<Node *> &dependencies);
  /** A copy of its own, whose nodes know what they were copied from. */
  std::shared_ptr<Graph> clone() const;
  /** Nodes with every dependency before what depends on it, and otherwise as they were made, or the other way
   * round. Fewer than there are when they form a cycle. */
  std::vector<const Node *> ordered(bool latestFirst = false) const;
};

inline Graph *graphOf(cudaGraph_t handle) { return reinterpret_cast<Graph *>(handle); }
inline Node *nodeOf(cudaGraphNode_t handle) { return reinterpret_cast<Node *>(handle); }
inline cudaGraph_t handleOf(Graph *graph) { return reinterpret_cast<cudaGraph_t>(graph); }
inline cudaGraphNode_t handleOf(const Node *node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(node));
}
inline cudaGraphNodeType typeOf(const Node &node) {
  if (std::holds_alternative<ConditionalTask>(node.task)) return cudaGraphNodeTypeConditional;
  constexpr size_t semaphores = 2;
  const size_t index = node.task.index();
  return static_cast<cudaGraphNodeType>(index + (index > cudaGraphNodeTypeEventRecord ? semaphores : 0));
}

/** The task of a node as an executable graph has it; null when the node is of another graph. */
Task *taskIn(cudaGraphExec_t executable, cudaGraphNode_t node);
/** What a node of a kind is to do, from the parameters that the program gives. Null is refused. */
cudaError_t makeTask(Task &task, const cudaKernelNodeParams *parameters);
cudaError_t makeTask(Task &task, const cudaMemcpy3DParms *parameters);
cudaError_t makeTask(Task &task, const cudaMemsetParams *parameters);
cudaError_t makeTask(Task &task, const cudaHostNodeParams *parameters);
cudaError_t makeTask(Task &task, cudaGraph_t child);
cudaError_t makeTask(Task &task, const cudaGraphNodeParams *parameters);
/** Puts a task in the place of one of the same kind. `task` may be null. */
cudaError_t replaceTask(Task *task, const Task &replacement);

} // namespace kernelwright
