// Graphs as structures: nodes, what they wait for, copies, and the order that follows.
#include "graphs/graph.hpp"

#include <iterator>
#include <set>

#include "graphs/waiting-work.hpp"

namespace kernelwright {

void UserObject::release(unsigned count) {
  references -= count < references ? count : references;
  if (references > 0) return;
  destroy(pointer);
  delete this;
}

Graph::~Graph() {
  --liveThings.graphs;
  for (const auto &held : objects)
    held.first->release(held.second);
}

Node &Graph::add(const Task &task, const std::vector<Node *> &dependencies) {
  nodes.push_back({this, task, dependencies, nullptr});
  return nodes.back();
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::map<const Node *, Node *> copies;
  for (const Node &node : nodes) {
    Task task = node.task;
    if (ChildTask *child = std::get_if<ChildTask>(&task)) child->graph = child->graph->clone();
    if (ConditionalTask *choice = std::get_if<ConditionalTask>(&task)) {
      for (size_t body = 0; body < choice->bodies.size(); ++body) {
        choice->bodies[body] = choice->bodies[body]->clone();
        choice->handles[body] = handleOf(choice->bodies[body].get());
      }
    }
    Node &made = copy->add(task, {});
    made.origin = &node;
    copies[&node] = &made;
  }
  for (const Node &node : nodes) {
    for (const Node *dependency : node.dependencies)
      copies[&node]->dependencies.push_back(copies[dependency]);
  }
  for (const auto &held : objects)
    held.first->references += held.second;
  copy->objects = objects;
  copy->conditions = conditions;
  return copy;
}

std::vector<const Node *> Graph::ordered(bool latestFirst) const {
  std::map<const Node *, size_t> numbers;
  std::vector<const Node *> all;
  for (const Node &node : nodes) {
    numbers[&node] = all.size();
    all.push_back(&node);
  }
  std::vector<size_t> waiting(all.size());
  std::vector<std::vector<size_t>> dependents(all.size());
  std::set<size_t> ready;
  for (size_t index = 0; index < all.size(); ++index) {
    waiting[index] = all[index]->dependencies.size();
    for (const Node *dependency : all[index]->dependencies)
      dependents[numbers[dependency]].push_back(index);
    if (waiting[index] == 0) ready.insert(index);
  }
  std::vector<const Node *> order;
  while (!ready.empty()) {
    const auto chosen = latestFirst ? std::prev(ready.end()) : ready.begin();
    const size_t next = *chosen;
    ready.erase(chosen);
    order.push_back(all[next]);
    for (const size_t dependent : dependents[next]) {
      if (--waiting[dependent] == 0) ready.insert(dependent);
    }
  }
  return order;
}

cudaError_t perform(const ChildTask &child) { return perform(*child.graph); }

cudaError_t perform(const Graph &graph) {
  for (const Node *node : graph.ordered(isLatestFirst())) {
    const cudaError_t error = perform(node->task);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

namespace {

struct Performer {
  cudaError_t operator()(const EmptyTask &) const { return cudaSuccess; }
  // Everything runs in one order, so that what an event stands for has been done.
  cudaError_t operator()(const WaitTask &) const { return cudaSuccess; }
  cudaError_t operator()(const RecordTask &task) const { return cudaEventRecord(task.event, nullptr); }
  template <typename Other> cudaError_t operator()(const Other &task) const { return perform(task); }
};

} // namespace

cudaError_t perform(const Task &task) { return std::visit(Performer{}, task); }

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned references, unsigned) {
  if (object == nullptr || destroy == nullptr || references == 0) return settle(cudaErrorInvalidValue);
  *object = reinterpret_cast<cudaUserObject_t>(new UserObject{pointer, destroy, references});
  return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  if (object == nullptr) return settle(cudaErrorInvalidValue);
  reinterpret_cast<UserObject *>(object)->references += count;
  return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  if (object == nullptr) return settle(cudaErrorInvalidValue);
  reinterpret_cast<UserObject *>(object)->release(count);
  return cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count,
                                      unsigned flags) {
  if (graph == nullptr || handle == nullptr) return settle(cudaErrorInvalidValue);
  UserObject *object = reinterpret_cast<UserObject *>(handle);
  // Without the flag the references of the graph are new ones, with it they are the caller's.
  if ((flags & cudaGraphUserObjectMove) == 0) object->references += count;
  graphOf(graph)->objects[object] += count;
  return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count) {
  if (graph == nullptr || handle == nullptr) return settle(cudaErrorInvalidValue);
  UserObject *object = reinterpret_cast<UserObject *>(handle);
  const auto held = graphOf(graph)->objects.find(object);
  if (held == graphOf(graph)->objects.end() || held->second < count) return settle(cudaErrorInvalidValue);
  held->second -= count;
  if (held->second == 0) graphOf(graph)->objects.erase(held);
  object->release(count);
  return cudaSuccess;
}

} // extern "C"
