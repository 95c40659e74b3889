// Streams and events. Everything a program issues runs in the order in which it was issued, which is one of
// the orders that streams allow; where the device asks for another one, work is kept back
// (graphs/waiting-work.hpp).
#include <atomic>

#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "device/runtime.hpp"
#include "entry/kept-things.hpp"

namespace kernelwright {
namespace {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  uint64_t wall = 0;
  uint64_t modelled = 0;
  /** What the event stands for. */
  WorkMark work = {};
};

Stream *streamOf(cudaStream_t handle) {
  static Stream standard;
  const bool builtIn = handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return builtIn ? &standard : reinterpret_cast<Stream *>(handle);
}

Event *eventOf(cudaEvent_t handle) { return reinterpret_cast<Event *>(handle); }

cudaError_t createStream(cudaStream_t *handle, unsigned flags, int priority) {
  static std::atomic<unsigned long long> count{2};
  if (handle == nullptr) return settle(cudaErrorInvalidValue);
  device();
  *handle = reinterpret_cast<cudaStream_t>(new Stream{flags, priority, ++count});
  ++liveThings.streams;
  noteStream(*handle, (flags & cudaStreamNonBlocking) == 0);
  return cudaSuccess;
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return createStream(stream, cudaStreamDefault, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return createStream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return createStream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (streamOf(stream) == streamOf(nullptr)) return settle(cudaErrorInvalidResourceHandle);
  noteDestroyed(stream);
  forgetStream(stream);
  delete streamOf(stream);
  --liveThings.streams;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  device();
  const cudaError_t refused = waitFor(stream);
  if (refused != cudaSuccess) return refused;
  const AtOnce now(stream);
  return synchronize(callers());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event == nullptr) return settle(cudaErrorInvalidResourceHandle);
  noteWait(stream, event);
  performUpTo(eventOf(event)->work);
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  *flags = streamOf(stream)->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  *priority = streamOf(stream)->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  *id = streamOf(stream)->id;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t, int *number) { return cudaGetDevice(number); }

/** Windows of the second-level cache and priorities of memory change no result. */
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue *) {
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID, cudaLaunchAttributeValue *value) {
  if (value == nullptr) return settle(cudaErrorInvalidValue);
  *value = {};
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t) { return cudaSuccess; }

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  if (event == nullptr) return settle(cudaErrorInvalidValue);
  device();
  *event = reinterpret_cast<cudaEvent_t>(new Event{flags});
  ++liveThings.events;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return settle(cudaErrorInvalidResourceHandle);
  noteDestroyed(event);
  delete eventOf(event);
  --liveThings.events;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) return settle(cudaErrorInvalidResourceHandle);
  noteRecord(event, stream);
  if (isCapturing(stream)) return cudaSuccess;
  eventOf(event)->work = markWork(stream);
  protocol::MarkReply reply;
  const int status = ask(protocol::markRequest(), reply);
  if (status != 0) return settle(status);
  eventOf(event)->recorded = true;
  eventOf(event)->wall = reply.wall;
  eventOf(event)->modelled = reply.modelled;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event == nullptr) return settle(cudaErrorInvalidResourceHandle);
  device();
  const cudaError_t refused = waitFor(event);
  if (refused != cudaSuccess) return refused;
  const AtOnce now(eventOf(event)->work);
  return synchronize(callers());
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (start == nullptr || end == nullptr) return settle(cudaErrorInvalidResourceHandle);
  const Event &from = *eventOf(start);
  const Event &to = *eventOf(end);
  if (milliseconds == nullptr) return settle(cudaErrorInvalidValue);
  if (!from.recorded || !to.recorded || ((from.flags | to.flags) & cudaEventDisableTiming) != 0)
    return settle(cudaErrorInvalidResourceHandle);
  performUpTo(from.work);
  performUpTo(to.work);
  // The user is told which kind of time this is.
  const Reply reply = exchange(protocol::elapsedRequest());
  if (reply.status != 0) return settle(reply);
  const uint64_t first = device().profiles ? from.modelled : from.wall;
  const uint64_t last = device().profiles ? to.modelled : to.wall;
  *milliseconds = static_cast<float>(static_cast<double>(static_cast<int64_t>(last - first)) / 1e6);
  return cudaSuccess;
}

PER_THREAD(cudaStreamSynchronize, _ptsz)
PER_THREAD(cudaStreamQuery, _ptsz)
PER_THREAD(cudaStreamWaitEvent, _ptsz)
PER_THREAD(cudaStreamGetFlags, _ptsz)
PER_THREAD(cudaStreamGetPriority, _ptsz)
PER_THREAD(cudaStreamGetId, _ptsz)
PER_THREAD(cudaStreamGetDevice, _ptsz)
PER_THREAD(cudaStreamSetAttribute, _ptsz)
PER_THREAD(cudaStreamGetAttribute, _ptsz)
PER_THREAD(cudaStreamCopyAttributes, _ptsz)
PER_THREAD(cudaEventRecord, _ptsz)
PER_THREAD(cudaEventRecordWithFlags, _ptsz)

} // extern "C"
