#include "graphs/waiting-work.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "device/runtime.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

/** More than this is not kept: a program may launch without end before it waits. */
constexpr size_t kMostKept = 1024;
/** Shared memory that every launch may have; more needs leave, which the device judges. */
constexpr size_t kFreeSharedBytes = 48 * 1024;

struct Kept {
  Task task;
  std::string where;
  uint64_t number;
};

struct Work {
  /** Held while kept work is done. It is of kernels, copies and fills: no code of the program runs. */
  std::recursive_mutex mutex;
  std::map<cudaStream_t, std::deque<Kept>> queues;
  std::set<cudaStream_t> nonBlocking;
  uint64_t count = 0;
};

Work &work() {
  static auto *all = new Work;
  return *all;
}

std::atomic<bool> keeps{false};
std::atomic<Turn> turn{Turn::waited};
/** The program has made a stream, or memory that it shares with the device. */
std::atomic<bool> canOverlap{false};
std::atomic<size_t> keptTasks{0};
/** How many times the calling thread does work at once, one within the other. */
thread_local int atOnce = 0;
thread_local const std::string *workPlace = nullptr;

/** The default stream has two names. Threads share one stream for cudaStreamPerThread: more order than they
 * have, and never less. */
cudaStream_t named(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

void performLater(cudaStream_t stream, uint64_t number);

void performUpTo(cudaStream_t stream, uint64_t last) {
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  const auto found = all.queues.find(stream);
  if (found == all.queues.end()) return;
  if (turn == Turn::others && atOnce == 0 && !found->second.empty())
    performLater(stream, std::min(last, found->second.back().number));
  ++atOnce;
  for (std::deque<Kept> &queue = found->second; !queue.empty() && queue.front().number <= last;) {
    const Kept next = std::move(queue.front());
    queue.pop_front();
    --keptTasks;
    workPlace = &next.where;
    // An error is remembered for cudaGetLastError, and a fault is told by every call from then on.
    perform(next.task);
    workPlace = nullptr;
  }
  --atOnce;
}

void performAll(cudaStream_t stream) { performUpTo(stream, UINT64_MAX); }

/** Does the work of the streams that `chosen` takes, that of the stream used last first. */
template <typename Chosen> void performEach(Chosen chosen) {
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  std::vector<std::pair<uint64_t, cudaStream_t>> streams;
  for (const auto &[stream, queue] : all.queues) {
    if (!queue.empty() && chosen(stream)) streams.push_back({queue.back().number, stream});
  }
  std::sort(streams.rbegin(), streams.rend());
  for (const auto &each : streams)
    performAll(each.second);
}

/** Does the work of other streams of which some was issued later. All that it has to come behind is done:
 * nothing is kept back before that. */
void performLater(cudaStream_t stream, uint64_t number) {
  ++atOnce;
  performEach(
      [&](cudaStream_t other) { return other != stream && work().queues[other].back().number > number; });
  --atOnce;
}

/** Work of the default stream comes behind all earlier work of blocking streams, and theirs behind its (CUDA
 * Programming Guide, "Legacy Default Stream"). */
void performBefore(cudaStream_t stream) {
  const std::set<cudaStream_t> &nonBlocking = work().nonBlocking;
  if (nonBlocking.count(stream) > 0) return;
  if (stream != nullptr) return performAll(nullptr);
  performEach([&](cudaStream_t other) { return other != nullptr && nonBlocking.count(other) == 0; });
}

/** Memory that only the device has. */
bool onDevice(const void *pointer) {
  return pointer != nullptr && device().owns(pointer) && !sharedAt(pointer);
}

bool within(const dim3 &extent, cudaDeviceAttr x, cudaDeviceAttr y, cudaDeviceAttr z) {
  const auto fits = [](unsigned size, cudaDeviceAttr most) {
    return size > 0 && size <= static_cast<unsigned>(device().attribute(most));
  };
  return fits(extent.x, x) && fits(extent.y, y) && fits(extent.z, z);
}

/** True where a GPU takes the launch: what it may refuse is told by the call that launches. */
bool canWait(const KernelTask &task) {
  Kernel *kernel = nullptr;
  if ((task.flags & ~kProgrammatic) != 0 || task.cluster.x > 0 ||
      findKernel(task.function, &kernel) != cudaSuccess)
    return false;
  if (!within(task.grid, cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ) ||
      !within(task.block, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ))
    return false;
  const uint64_t threads = uint64_t{task.block.x} * task.block.y * task.block.z;
  const uint64_t warps = (threads + 31) / 32;
  const uint64_t registers = warps * ((kernel->registers * uint64_t{32} + 255) / 256 * 256);
  return threads <= kernel->maxThreads &&
         registers <= static_cast<uint64_t>(device().attribute(cudaDevAttrMaxRegistersPerBlock)) &&
         kernel->staticSharedBytes + task.sharedBytes <= kFreeSharedBytes;
}

/** Memory of the host that copies of a stream use while the host goes on. */
bool isPinned(const void *pointer) {
  const std::optional<SharedRange> range = sharedAt(pointer);
  return range && (range->kind == SharedKind::pinned || range->kind == SharedKind::registered);
}

/** Where an asynchronous copy may read or write after its call has returned. */
bool isFree(cudaMemcpyKind kind, const void *to, const void *from) {
  if (kind == cudaMemcpyHostToHost) return false;
  const bool toHost = kind == cudaMemcpyDeviceToHost || (kind == cudaMemcpyDefault && isPinned(to));
  const bool fromHost = kind == cudaMemcpyHostToDevice || (kind == cudaMemcpyDefault && isPinned(from));
  return (toHost ? isPinned(to) : onDevice(to)) && (fromHost ? isPinned(from) : onDevice(from));
}

/** Copies with memory of the host that is not pinned are done by the call that asks for them. */
bool canWait(const CopyTask &task) {
  const cudaMemcpy3DParms &box = task.box;
  const bool isPlain = box.srcArray == nullptr && box.dstArray == nullptr && box.extent.depth == 1 &&
                       box.extent.width > 0 && box.extent.height > 0;
  const bool isRowed = box.srcPtr.pitch >= box.extent.width && box.dstPtr.pitch >= box.extent.width;
  return isPlain && isRowed && isFree(box.kind, box.dstPtr.ptr, box.srcPtr.ptr);
}

bool canWait(const FillTask &task) { return onDevice(task.area.dst); }

struct CanWait {
  bool operator()(const KernelTask &task) const { return canWait(task); }
  bool operator()(const CopyTask &task) const { return canWait(task); }
  bool operator()(const FillTask &task) const { return canWait(task); }
  template <typename Other> bool operator()(const Other &) const { return false; }
};

bool isKeeping() { return keeps && canOverlap && atOnce == 0; }

} // namespace

void keepWork(bool keepsFromNowOn, Turn first) {
  performWaiting();
  keeps = keepsFromNowOn;
  turn = first;
}

bool isLatestFirst() { return keeps; }

void noteStream(cudaStream_t stream, bool isBlocking) {
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (!isBlocking) all.nonBlocking.insert(stream);
  canOverlap = true;
}

void notePinned() { canOverlap = true; }

void forgetStream(cudaStream_t stream) {
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  performAll(stream);
  all.queues.erase(stream);
  all.nonBlocking.erase(stream);
}

bool keepBack(cudaStream_t given, const Task &task) {
  if (!isKeeping() || !std::visit(CanWait{}, task)) return false;
  if (keptTasks >= kMostKept) performWaiting();
  const cudaStream_t stream = named(given);
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  performBefore(stream);
  all.queues[stream].push_back({task, callers(), ++all.count});
  ++keptTasks;
  return true;
}

WorkMark markWork(cudaStream_t given) {
  if (!isKeeping()) return {};
  const cudaStream_t stream = named(given);
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  performBefore(stream);
  return {stream, all.count};
}

void performUpTo(const WorkMark &mark) {
  if (keptTasks > 0) performUpTo(mark.stream, mark.number);
}

void performWaiting() {
  if (keptTasks == 0 || atOnce > 0) return;
  performEach([](cudaStream_t) { return true; });
}

bool canKeepBack() { return canOverlap; }

void dropUnwaited() {
  Work &all = work();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  performBefore(nullptr);
  performAll(nullptr);
  for (auto &[stream, queue] : all.queues) {
    keptTasks -= queue.size();
    queue.clear();
  }
}

const std::string *placeOfWork() { return workPlace; }

AtOnce::AtOnce(cudaStream_t given) {
  if (isKeeping()) {
    const cudaStream_t stream = named(given);
    std::lock_guard<std::recursive_mutex> lock(work().mutex);
    performBefore(stream);
    performAll(stream);
  }
  ++atOnce;
}

AtOnce::AtOnce(const WorkMark &mark) {
  performUpTo(mark);
  ++atOnce;
}

AtOnce::~AtOnce() { --atOnce; }

} // namespace kernelwright
