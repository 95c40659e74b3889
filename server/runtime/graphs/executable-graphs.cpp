// Graphs as a whole: their shape, and executable graphs, which are done in one of the orders that the shape
// allows.
#include <algorithm>
#include <cstdio>
#include <set>

#include "graphs/capture.hpp"
#include "graphs/graph-memory.hpp"
#include "graphs/graph.hpp"
#include "graphs/waiting-work.hpp"

namespace kernelwright {
namespace {

struct Executable {
  std::shared_ptr<Graph> graph;
  std::vector<const Node *> order;
  /** Nodes that were switched off. */
  std::set<const Node *> disabled;
  unsigned long long flags;
};

Executable *executableOf(cudaGraphExec_t handle) { return reinterpret_cast<Executable *>(handle); }

Node *nodeIn(cudaGraphExec_t executable, cudaGraphNode_t origin) {
  if (executable == nullptr || origin == nullptr) return nullptr;
  for (Node &node : executableOf(executable)->graph->nodes) {
    if (node.origin == nodeOf(origin)) return &node;
  }
  return nullptr;
}

/** Gives handles as the calls of CUDA do: their number without a place for them, else as many as fit, with
 * null behind the last. */
template <typename Handle> cudaError_t give(const std::vector<Handle> &all, Handle *handles, size_t *count) {
  if (count == nullptr) return settle(cudaErrorInvalidValue);
  if (handles != nullptr) {
    for (size_t index = 0; index < *count; ++index)
      handles[index] = index < all.size() ? all[index] : nullptr;
  }
  *count = handles == nullptr ? all.size() : std::min(*count, all.size());
  return cudaSuccess;
}

std::vector<cudaGraphNode_t> handlesOf(const std::vector<Node *> &nodes) {
  std::vector<cudaGraphNode_t> handles;
  for (const Node *node : nodes)
    handles.push_back(handleOf(node));
  return handles;
}

void clear(cudaGraphEdgeData *edges, const size_t *count) {
  if (edges != nullptr) std::fill(edges, edges + *count, cudaGraphEdgeData{});
}

/** What keeps an executable graph from taking over what a changed graph does. */
cudaGraphExecUpdateResult difference(const Graph &before, const Graph &after) {
  if (before.nodes.size() != after.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  std::map<const Node *, const Node *> pairs;
  auto other = after.nodes.begin();
  for (const Node &node : before.nodes) {
    if (node.task.index() != other->task.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    pairs[&node] = &*other++;
  }
  for (const auto &pair : pairs) {
    std::set<const Node *> expected;
    for (const Node *dependency : pair.first->dependencies)
      expected.insert(pairs[dependency]);
    if (expected !=
        std::set<const Node *>(pair.second->dependencies.begin(), pair.second->dependencies.end()))
      return cudaGraphExecUpdateErrorTopologyChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

constexpr const char *kKinds[] = {"KERNEL",    "MEMCPY",   "MEMSET",     "HOST",
                                  "GRAPH",     "EMPTY",    "EVENT_WAIT", "EVENT_RECORD",
                                  "MEM_ALLOC", "MEM_FREE", "CONDITIONAL"};

/** Frees what an earlier launch has left to the program. */
void freeLeft(const Graph &graph) {
  for (const Node &node : graph.nodes) {
    if (const auto *own = std::get_if<AllocateTask>(&node.task); own != nullptr && own->memory->isLive)
      freeOfGraph(own->memory->parameters.dptr);
    if (const auto *child = std::get_if<ChildTask>(&node.task)) freeLeft(*child->graph);
    if (const auto *choice = std::get_if<ConditionalTask>(&node.task))
      for (const std::shared_ptr<Graph> &body : choice->bodies)
        freeLeft(*body);
  }
}

} // namespace

Task *taskIn(cudaGraphExec_t executable, cudaGraphNode_t node) {
  Node *found = nodeIn(executable, node);
  return found == nullptr ? nullptr : &found->task;
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
  if (graph == nullptr) return settle(cudaErrorInvalidValue);
  device();
  *graph = handleOf(new Graph);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return settle(cudaErrorInvalidValue);
  delete graphOf(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  if (clone == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  const std::shared_ptr<Graph> copy = graphOf(graph)->clone();
  Graph *made = new Graph;
  // List nodes keep their addresses when they move.
  made->nodes.splice(made->nodes.end(), copy->nodes);
  made->objects.swap(copy->objects);
  made->conditions.swap(copy->conditions);
  for (Node &node : made->nodes)
    node.graph = made;
  *clone = handleOf(made);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone) {
  if (node == nullptr || clone == nullptr) return settle(cudaErrorInvalidValue);
  for (const Node &each : graphOf(clone)->nodes) {
    if (each.origin != nodeOf(original)) continue;
    *node = handleOf(&each);
    return cudaSuccess;
  }
  return settle(cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  if (node == nullptr || type == nullptr) return settle(cudaErrorInvalidValue);
  *type = typeOf(*nodeOf(node));
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (graph == nullptr) return settle(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (const Node &node : graphOf(graph)->nodes)
    all.push_back(handleOf(&node));
  return give(all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (graph == nullptr) return settle(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> roots;
  for (const Node &node : graphOf(graph)->nodes) {
    if (node.dependencies.empty()) roots.push_back(handleOf(&node));
  }
  return give(roots, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *count) {
  if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
    return settle(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> sources;
  std::vector<cudaGraphNode_t> targets;
  for (const Node &node : graphOf(graph)->nodes) {
    for (const Node *dependency : node.dependencies) {
      sources.push_back(handleOf(dependency));
      targets.push_back(handleOf(&node));
    }
  }
  size_t room = *count;
  give(sources, from, &room);
  const cudaError_t error = give(targets, to, count);
  clear(data, count);
  return error;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         cudaGraphEdgeData *data, size_t *count) {
  if (node == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t error = give(handlesOf(nodeOf(node)->dependencies), dependencies, count);
  if (error == cudaSuccess) clear(data, count);
  return error;
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                           cudaGraphEdgeData *data, size_t *count) {
  if (node == nullptr) return settle(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (const Node &each : nodeOf(node)->graph->nodes) {
    if (std::count(each.dependencies.begin(), each.dependencies.end(), nodeOf(node)) > 0)
      all.push_back(handleOf(&each));
  }
  const cudaError_t error = give(all, dependents, count);
  if (error == cudaSuccess) clear(data, count);
  return error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t count) {
  if (graph == nullptr || ((from == nullptr || to == nullptr) && count > 0))
    return settle(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index) {
    Node *source = nodeOf(from[index]);
    Node *target = nodeOf(to[index]);
    if (source == nullptr || target == nullptr || source == target || source->graph != graphOf(graph) ||
        target->graph != graphOf(graph))
      return settle(cudaErrorInvalidValue);
    if (std::count(target->dependencies.begin(), target->dependencies.end(), source) > 0)
      return settle(cudaErrorInvalidValue);
    target->dependencies.push_back(source);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t count) {
  if (graph == nullptr || ((from == nullptr || to == nullptr) && count > 0))
    return settle(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index) {
    if (to[index] == nullptr) return settle(cudaErrorInvalidValue);
    std::vector<Node *> &dependencies = nodeOf(to[index])->dependencies;
    const auto found = std::find(dependencies.begin(), dependencies.end(), nodeOf(from[index]));
    if (found == dependencies.end()) return settle(cudaErrorInvalidValue);
    dependencies.erase(found);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  if (handle == nullptr) return settle(cudaErrorInvalidValue);
  Node *gone = nodeOf(handle);
  Graph &graph = *gone->graph;
  for (Node &node : graph.nodes)
    node.dependencies.erase(std::remove(node.dependencies.begin(), node.dependencies.end(), gone),
                            node.dependencies.end());
  graph.nodes.remove_if([gone](const Node &node) { return &node == gone; });
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned) {
  if (graph == nullptr || path == nullptr) return settle(cudaErrorInvalidValue);
  std::FILE *file = std::fopen(path, "w");
  if (file == nullptr) return settle(cudaErrorOperatingSystem);
  std::map<const Node *, size_t> numbers;
  std::fputs("digraph graph_1 {\n", file);
  for (const Node &node : graphOf(graph)->nodes) {
    const size_t number = numbers.size();
    numbers[&node] = number;
    std::fprintf(file, "  node_%zu [label=\"%zu %s\"];\n", number, number, kKinds[node.task.index()]);
  }
  for (const Node &node : graphOf(graph)->nodes) {
    for (const Node *dependency : node.dependencies)
      std::fprintf(file, "  node_%zu -> node_%zu;\n", numbers[dependency], numbers[&node]);
  }
  std::fputs("}\n", file);
  return std::fclose(file) == 0 ? cudaSuccess : settle(cudaErrorOperatingSystem);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
  if (executable == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) return lacking("launches of graphs by kernels");
  auto *made = new Executable{graphOf(graph)->clone(), {}, {}, flags};
  made->order = made->graph->ordered();
  if (made->order.size() == made->graph->nodes.size()) {
    *executable = reinterpret_cast<cudaGraphExec_t>(made);
    return cudaSuccess;
  }
  delete made;
  return settle(cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters) {
  if (parameters == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t error = cudaGraphInstantiate(executable, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess             ? cudaGraphInstantiateSuccess
                           : error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
                                                            : cudaGraphInstantiateError;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long *flags) {
  if (executable == nullptr || flags == nullptr) return settle(cudaErrorInvalidValue);
  *flags = executableOf(executable)->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle, unsigned enabled) {
  const Node *node = nodeIn(executable, handle);
  if (node == nullptr || typeOf(*node) > cudaGraphNodeTypeMemset) return settle(cudaErrorInvalidValue);
  if (enabled != 0)
    executableOf(executable)->disabled.erase(node);
  else
    executableOf(executable)->disabled.insert(node);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle, unsigned *enabled) {
  const Node *node = nodeIn(executable, handle);
  if (node == nullptr || enabled == nullptr) return settle(cudaErrorInvalidValue);
  *enabled = executableOf(executable)->disabled.count(node) == 0 ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  if (executable == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  Graph &before = *executableOf(executable)->graph;
  const cudaGraphExecUpdateResult found = difference(before, *graphOf(graph));
  if (result != nullptr) *result = {found, nullptr, nullptr};
  if (found != cudaGraphExecUpdateSuccess) return settle(cudaErrorGraphExecUpdateFailure);
  auto other = graphOf(graph)->nodes.begin();
  for (Node &node : before.nodes)
    node.task = (other++)->task;
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return executable == nullptr ? settle(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return settle(cudaErrorInvalidValue);
  const Executable &all = *executableOf(executable);
  if (isCapturing(stream)) return *captured(stream, ChildTask{all.graph->clone()});
  const AtOnce now(stream);
  if ((all.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) freeLeft(*all.graph);
  const cudaError_t started = startConditions(*all.graph);
  if (started != cudaSuccess) return started;
  for (const Node *node : isLatestFirst() ? all.graph->ordered(true) : all.order) {
    if (all.disabled.count(node) > 0) continue;
    const cudaError_t error = perform(node->task);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr) return settle(cudaErrorInvalidValue);
  delete executableOf(executable);
  return cudaSuccess;
}

PER_THREAD(cudaGraphInstantiateWithParams, _ptsz)
PER_THREAD(cudaGraphUpload, _ptsz)
PER_THREAD(cudaGraphLaunch, _ptsz)

} // extern "C"
