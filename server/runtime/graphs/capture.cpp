// Capturing of streams. Tasks keep the order in which they were issued, and depend on what a stream and the
// events that it waited for had done.
#include "graphs/capture.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "graphs/graph.hpp"
#include "graphs/waiting-work.hpp"

namespace kernelwright {
namespace {

/** One capture, from its beginning to its end. */
struct Capture {
  Graph *graph;
  /** The graph is the program's, which need not be told of it again. */
  bool isGiven;
  cudaStream_t origin;
  unsigned long long id;
  /** Nodes of the origin's graph before the capture: they need no joining. */
  size_t before;
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  /** Set by what a capture does not allow: nothing is captured from then on, and its end fails. */
  bool invalidated = false;
};

/** What the calling thread lets captures forbid. */
thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

/** What the next task of a stream, or of one that waits for an event, depends on. */
struct Frontier {
  std::shared_ptr<Capture> capture;
  std::vector<Node *> nodes;
};

struct Captures {
  std::mutex mutex;
  std::map<cudaStream_t, Frontier> streams;
  std::map<cudaEvent_t, Frontier> events;
  unsigned long long count = 0;
};

Captures &captures() {
  static auto *all = new Captures;
  return *all;
}

/** Spoils the capture in which a stream or an event takes part, and gives the error for that; success where
 * there is none. */
template <typename Member>
cudaError_t spoil(std::map<Member, Frontier> Captures::*members, Member member, cudaError_t error) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = (all.*members).find(member);
  if (found == (all.*members).end()) return cudaSuccess;
  found->second.capture->invalidated = true;
  return settle(error);
}

void join(std::vector<Node *> &nodes, const std::vector<Node *> &more) {
  for (Node *node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

template <typename Key>
void forget(std::map<Key, Frontier> &frontiers, const std::shared_ptr<Capture> &capture) {
  for (auto each = frontiers.begin(); each != frontiers.end();)
    each = each->second.capture == capture ? frontiers.erase(each) : std::next(each);
}

cudaError_t begin(cudaStream_t stream, Graph *given, const std::vector<Node *> &dependencies,
                  cudaStreamCaptureMode mode) {
  Graph *graph = given == nullptr ? new Graph : given;
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.streams[stream] = {
      std::make_shared<Capture>(Capture{graph, given != nullptr, stream, ++all.count, graph->nodes.size(),
                                        mode, std::this_thread::get_id()}),
      dependencies};
  return cudaSuccess;
}

/** True when everything that was captured comes before the end of the stream that began. */
bool joined(const Capture &capture, const std::vector<Node *> &last) {
  std::map<const Node *, bool> hasDependent;
  for (const Node &node : capture.graph->nodes) {
    for (const Node *dependency : node.dependencies)
      hasDependent[dependency] = true;
  }
  size_t number = 0;
  for (Node &node : capture.graph->nodes) {
    if (number++ < capture.before || hasDependent[&node]) continue;
    if (std::find(last.begin(), last.end(), &node) == last.end()) return false;
  }
  return true;
}

} // namespace

std::optional<cudaError_t> captured(cudaStream_t stream, const Task &task) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  if (found == all.streams.end()) return std::nullopt;
  Frontier &frontier = found->second;
  if (frontier.capture->invalidated) return settle(cudaErrorStreamCaptureInvalidated);
  frontier.nodes = {&frontier.capture->graph->add(task, frontier.nodes)};
  return cudaSuccess;
}

cudaError_t issue(cudaStream_t stream, const Task &task) {
  const std::optional<cudaError_t> kept = captured(stream, task);
  if (kept) return *kept;
  if (keepBack(stream, task)) return cudaSuccess;
  const AtOnce now(stream);
  return perform(task);
}

cudaError_t waitFor(cudaStream_t stream) {
  return spoil(&Captures::streams, stream, cudaErrorStreamCaptureUnsupported);
}

cudaError_t waitFor(cudaEvent_t event) { return spoil(&Captures::events, event, cudaErrorCapturedEvent); }

cudaError_t waitForAll() {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (auto &each : all.streams)
    each.second.capture->invalidated = true;
  return all.streams.empty() ? cudaSuccess : settle(cudaErrorStreamCaptureUnsupported);
}

cudaError_t allowsUnsafe() {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  bool allowed = true;
  if (captureMode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (auto &each : all.streams) {
    Capture &capture = *each.second.capture;
    const bool own =
        capture.thread == std::this_thread::get_id() && capture.mode != cudaStreamCaptureModeRelaxed;
    const bool others =
        captureMode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
    if (!own && !others) continue;
    capture.invalidated = true;
    allowed = false;
  }
  return allowed ? cudaSuccess : settle(cudaErrorStreamCaptureUnsupported);
}

bool isCapturing(cudaStream_t stream) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  return all.streams.count(stream) > 0;
}

void noteRecord(cudaEvent_t event, cudaStream_t stream) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  if (found != all.streams.end())
    all.events[event] = found->second;
  else
    all.events.erase(event);
}

void noteWait(cudaStream_t stream, cudaEvent_t event) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.events.find(event);
  if (found == all.events.end()) return;
  Frontier &frontier = all.streams[stream];
  frontier.capture = found->second.capture;
  join(frontier.nodes, found->second.nodes);
}

void noteDestroyed(cudaStream_t stream) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.streams.erase(stream);
}

void noteDestroyed(cudaEvent_t event) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.events.erase(event);
}

} // namespace kernelwright

using namespace kernelwright;

namespace {

/** What cudaStreamGetCaptureInfo handed out last; good until the next call. */
thread_local std::vector<cudaGraphNode_t> handedNodes;
thread_local std::vector<cudaGraphEdgeData> handedEdges;

std::vector<Node *> nodesOf(const cudaGraphNode_t *handles, size_t count) {
  std::vector<Node *> nodes;
  for (size_t index = 0; index < count; ++index)
    nodes.push_back(nodeOf(handles[index]));
  return nodes;
}

} // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (stream == nullptr) return settle(cudaErrorStreamCaptureUnsupported);
  if (isCapturing(stream)) return settle(cudaErrorIllegalState);
  return begin(stream, nullptr, {}, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *,
                                          size_t count, cudaStreamCaptureMode mode) {
  if (stream == nullptr) return settle(cudaErrorStreamCaptureUnsupported);
  if (graph == nullptr || (dependencies == nullptr && count > 0)) return settle(cudaErrorInvalidValue);
  if (isCapturing(stream)) return settle(cudaErrorIllegalState);
  return begin(stream, graphOf(graph), nodesOf(dependencies, count), mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (graph != nullptr) *graph = nullptr;
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  if (found == all.streams.end()) return settle(cudaErrorIllegalState);
  if (graph == nullptr && !found->second.capture->isGiven) return settle(cudaErrorInvalidValue);
  const Frontier ended = found->second;
  if (ended.capture->origin != stream) return settle(cudaErrorStreamCaptureUnmatched);
  const bool isOtherThread = ended.capture->mode != cudaStreamCaptureModeRelaxed &&
                             ended.capture->thread != std::this_thread::get_id();
  // Whatever is said of it, the capture is over.
  forget(all.streams, ended.capture);
  forget(all.events, ended.capture);
  if (isOtherThread) return settle(cudaErrorStreamCaptureWrongThread);
  if (ended.capture->invalidated) return settle(cudaErrorStreamCaptureInvalidated);
  if (!joined(*ended.capture, ended.nodes)) return settle(cudaErrorStreamCaptureUnjoined);
  if (graph != nullptr) *graph = handleOf(ended.capture->graph);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  if (status == nullptr) return settle(cudaErrorInvalidValue);
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  *status = found == all.streams.end()           ? cudaStreamCaptureStatusNone
            : found->second.capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                                 : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                                     size_t *count) {
  const cudaError_t error = cudaStreamIsCapturing(stream, status);
  if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive) return error;
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const Frontier &frontier = all.streams[stream];
  handedNodes.clear();
  for (const Node *node : frontier.nodes)
    handedNodes.push_back(handleOf(node));
  handedEdges.assign(handedNodes.size(), cudaGraphEdgeData{});
  if (id != nullptr) *id = frontier.capture->id;
  if (graph != nullptr) *graph = handleOf(frontier.capture->graph);
  if (dependencies != nullptr) *dependencies = handedNodes.data();
  if (edges != nullptr) *edges = handedEdges.data();
  if (count != nullptr) *count = handedNodes.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *, size_t count, unsigned flags) {
  if (dependencies == nullptr && count > 0) return settle(cudaErrorInvalidValue);
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  if (found == all.streams.end()) return settle(cudaErrorIllegalState);
  if ((flags & cudaStreamSetCaptureDependencies) != 0) found->second.nodes.clear();
  join(found->second.nodes, nodesOf(dependencies, count));
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (mode == nullptr) return settle(cudaErrorInvalidValue);
  std::swap(*mode, captureMode);
  return cudaSuccess;
}

PER_THREAD(cudaStreamBeginCapture, _ptsz)
PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz)
PER_THREAD(cudaStreamEndCapture, _ptsz)
PER_THREAD(cudaStreamIsCapturing, _ptsz)
PER_THREAD(cudaStreamGetCaptureInfo, _ptsz)
PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz)

} // extern "C"
