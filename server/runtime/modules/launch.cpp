// Launches: the configuration that `<<<>>>` leaves behind, and the calls that take it.
#include <atomic>
#include <cstring>
#include <vector>

#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "device/current-device.hpp"
#include "device/runtime.hpp"
#include "memory/owned-elsewhere.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t sharedBytes;
  cudaStream_t stream;
  const void *returnAddress;
};

thread_local std::vector<Configuration> configurations;
/** Where the launch that is being made stands in the user's code. */
thread_local const void *launchSite = nullptr;

/** A kernel that the virtual GPU cannot run breaks the context, as a fault does: its results are missing. */
constexpr uint32_t kBreaksWhenRefused = protocol::LaunchFlags::breaksWhenRefused;

/** `forNothing`: nobody looks at the result of `<<<>>>`, so that the program goes on at once;
 * cudaGetLastError waits for it. */
enum class Wait { forCheck, forNothing };

/** The stream of the launch before. */
std::atomic<cudaStream_t> lastStream{nullptr};

/** A launch depends programmatically on the one before it in its own stream alone. */
uint32_t flagsOf(const KernelTask &task) {
  const bool isNext = lastStream.exchange(task.stream) == task.stream;
  return (isNext ? task.flags : task.flags & ~kProgrammatic) | kBreaksWhenRefused;
}

protocol::Triple tripleOf(const dim3 &size) { return {size.x, size.y, size.z}; }

Request requestOf(const KernelTask &task, const Kernel &kernel) {
  const uint32_t largest = kernel.largeClusters ? kLargeClusters : 0;
  return protocol::launchRequest(kernel.module->handle, kernel.name, tripleOf(task.grid),
                                 tripleOf(task.block), static_cast<uint32_t>(task.sharedBytes),
                                 kernel.dynamicSharedLimit, flagsOf(task) | largest, tripleOf(task.cluster),
                                 task.where, task.parameters.data(), task.parameters.size());
}

/** The owner of memory outside brings it along and takes it back, so that the launch is over afterwards. */
cudaError_t startWithOwner(KernelTask task, const Kernel &kernel) {
  const int begun = owner()->begin(task.parameters.data(), task.parameters.size());
  if (begun != 0) return settle(begun);
  task.flags |= owner()->flags();
  const Reply reply = exchange(requestOf(task, kernel));
  if (reply.status == 0) expectChanges();
  const int ended = owner()->end();
  return settle(reply.status != 0 ? reply.status : ended);
}

cudaError_t start(const KernelTask &task, Wait wait) {
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(task.function, &kernel);
  if (error != cudaSuccess) return error;
  const int pushed = pushShared();
  if (pushed != 0) return settle(pushed);
  if (owner() != nullptr) return startWithOwner(task, *kernel);
  const Request request = requestOf(task, *kernel);
  if (wait == Wait::forNothing) {
    post(request);
    expectChanges();
    return cudaSuccess;
  }
  const Reply reply = exchange(request);
  if (reply.status == 0) expectChanges();
  return settle(reply);
}

cudaError_t launch(KernelTask &task, cudaStream_t stream, void *const *arguments,
                   Wait wait = Wait::forCheck) {
  task.stream = stream;
  task.where = launchSite == nullptr ? callers() : place(launchSite);
  launchSite = nullptr;
  noteDeviceOfLaunch();
  const cudaError_t error = makeKernelTask(task, arguments);
  if (error != cudaSuccess) return error;
  const std::optional<cudaError_t> kept = captured(stream, task);
  if (kept) return *kept;
  if (keepBack(stream, task)) return cudaSuccess;
  const AtOnce now(stream);
  return start(task, wait);
}

} // namespace

cudaError_t makeKernelTask(KernelTask &task, void *const *arguments) {
  device();
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(task.function, &kernel);
  if (error != cudaSuccess) return error;
  if (task.sharedBytes > UINT32_MAX || (arguments == nullptr && !kernel->parameters.empty()))
    return settle(cudaErrorInvalidValue);
  task.parameters.resize(kernel->parameterBytes);
  task.offsets.clear();
  for (size_t index = 0; index < kernel->parameters.size(); ++index) {
    const Parameter &parameter = kernel->parameters[index];
    std::memcpy(task.parameters.data() + parameter.offset, arguments[index], parameter.size);
    task.offsets.push_back(parameter.offset);
  }
  return cudaSuccess;
}

cudaError_t perform(const KernelTask &task) { return start(task, Wait::forCheck); }

cudaError_t perform(const HostTask &task) {
  // Everything before it in its stream has to be done.
  const cudaError_t error = synchronize();
  if (error == cudaSuccess) task.function(task.data);
  return error;
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  configurations.push_back({grid, block, sharedBytes, stream, __builtin_return_address(0)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream) {
  if (configurations.empty()) return settle(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *sharedBytes = last.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = last.stream;
  launchSite = last.returnAddress;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t sharedBytes, cudaStream_t stream) {
  KernelTask task{reinterpret_cast<const void *>(kernel), grid, block, sharedBytes, 0, {}, {}, {}};
  return launch(task, stream, arguments, Wait::forNothing);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t sharedBytes, cudaStream_t stream) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  KernelTask task{function, grid, block, sharedBytes, 0, {}, {}, {}};
  return launch(task, stream, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t sharedBytes, cudaStream_t stream) {
  KernelTask task{function, grid, block, sharedBytes, kCooperative, {}, {}, {}};
  return launch(task, stream, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *function,
                                void **arguments) {
  if (configuration == nullptr) return settle(cudaErrorInvalidValue);
  uint32_t flags = 0;
  dim3 cluster{0, 0, 0};
  for (unsigned index = 0; index < configuration->numAttrs; ++index) {
    const cudaLaunchAttribute &attribute = configuration->attrs[index];
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0)
      flags |= kCooperative;
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
        attribute.val.programmaticStreamSerializationAllowed != 0)
      flags |= kProgrammatic;
    if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
    const auto &size = attribute.val.clusterDim;
    cluster = {size.x, size.y, size.z};
  }
  KernelTask task{function,
                  configuration->gridDim,
                  configuration->blockDim,
                  configuration->dynamicSmemBytes,
                  flags,
                  {},
                  {},
                  {},
                  cluster};
  return launch(task, configuration->stream, arguments);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (function == nullptr) return settle(cudaErrorInvalidValue);
  return issue(stream, HostTask{function, data});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
  if (callback == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t refused = waitFor(stream);
  if (refused != cudaSuccess) return refused;
  const AtOnce now(stream);
  const cudaError_t error = synchronize();
  callback(stream, error, data);
  return error;
}

PER_THREAD(cudaLaunchKernel, _ptsz)
PER_THREAD(cudaLaunchCooperativeKernel, _ptsz)
PER_THREAD(cudaLaunchKernelExC, _ptsz)
PER_THREAD(cudaLaunchHostFunc, _ptsz)
PER_THREAD(cudaStreamAddCallback, _ptsz)

} // extern "C"
