// Graphs that are captured from streams. The order of the capture is kept: it is one of the orders that the graph allows.
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "capture.hpp"
#include "runtime.hpp"

namespace kernelwright {
namespace {

struct Graph {
  std::vector<Work> works;
};

/** Capturing streams and recorded events, each with the graph that takes what is issued. */
struct Captures {
  std::mutex mutex;
  std::map<cudaStream_t, std::shared_ptr<Graph>> streams;
  std::map<cudaEvent_t, std::shared_ptr<Graph>> events;
};

Captures &captures() {
  static auto *all = new Captures;
  return *all;
}

std::shared_ptr<Graph> graphOf(cudaStream_t stream) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.streams.find(stream);
  return found == all.streams.end() ? nullptr : found->second;
}

/** Handles of graphs and of executable graphs own their operations. */
std::shared_ptr<Graph> *held(void *handle) { return static_cast<std::shared_ptr<Graph> *>(handle); }

} // namespace

bool captured(cudaStream_t stream, const Work &work) {
  const std::shared_ptr<Graph> graph = graphOf(stream);
  if (graph != nullptr) graph->works.push_back(work);
  return graph != nullptr;
}

bool isCapturing(cudaStream_t stream) { return graphOf(stream) != nullptr; }

void noteRecord(cudaEvent_t event, cudaStream_t stream) {
  const std::shared_ptr<Graph> graph = graphOf(stream);
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (graph != nullptr) all.events[event] = graph;
  else all.events.erase(event);
}

void noteWait(cudaStream_t stream, cudaEvent_t event) {
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.events.find(event);
  if (found != all.events.end()) all.streams[stream] = found->second;
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr) return settle(cudaErrorStreamCaptureUnsupported);
  if (isCapturing(stream)) return settle(cudaErrorIllegalState);
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.streams[stream] = std::make_shared<Graph>();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  const std::shared_ptr<Graph> ended = graphOf(stream);
  if (ended == nullptr || graph == nullptr) return settle(cudaErrorIllegalState);
  Captures &all = captures();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (auto each = all.streams.begin(); each != all.streams.end();) each = each->second == ended ? all.streams.erase(each) : std::next(each);
  for (auto each = all.events.begin(); each != all.events.end();) each = each->second == ended ? all.events.erase(each) : std::next(each);
  *graph = reinterpret_cast<cudaGraph_t>(new std::shared_ptr<Graph>(ended));
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = isCapturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
  if (executable == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  *executable = reinterpret_cast<cudaGraphExec_t>(new std::shared_ptr<Graph>(*held(graph)));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) { return cudaGraphInstantiate(executable, graph, flags); }

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *result) {
  if (executable == nullptr || graph == nullptr) return settle(cudaErrorInvalidValue);
  *held(executable) = *held(graph);
  if (result != nullptr) *result = {};
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) { return executable == nullptr ? settle(cudaErrorInvalidValue) : cudaSuccess; }

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return settle(cudaErrorInvalidValue);
  const std::shared_ptr<Graph> graph = *held(executable);
  const Work all = [graph] {
    for (const Work &work : graph->works) {
      const cudaError_t error = work();
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  };
  return captured(stream, all) ? cudaSuccess : all();
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (graph == nullptr || count == nullptr) return settle(cudaErrorInvalidValue);
  if (nodes != nullptr) return lacking();
  *count = (*held(graph))->works.size();
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr) return settle(cudaErrorInvalidValue);
  delete held(executable);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return settle(cudaErrorInvalidValue);
  delete held(graph);
  return cudaSuccess;
}

} // extern "C"
