// Launches: the configuration that `<<<>>>` leaves behind, and the calls that take it.
#include <cstring>
#include <vector>

#include "capture.hpp"
#include "runtime.hpp"
#include "shared_memory.hpp"

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

constexpr uint32_t kCooperative = 1;
/** A kernel that the virtual GPU cannot run breaks the context, as a fault does: its results are missing. */
constexpr uint32_t kBreaksWhenRefused = 4;

struct Shape {
  dim3 grid;
  dim3 block;
  size_t sharedBytes;
  cudaStream_t stream;
};

/** Sends a launch whose request is made. */
cudaError_t start(const Request &request) {
  const int pushed = pushShared();
  if (pushed != 0) return settle(pushed);
  const Reply reply = exchange(kLaunch, request);
  if (reply.status == 0) expectChanges();
  return settle(reply);
}

enum class Wait { forCheck, forNothing };

/** `forNothing`: nobody looks at the result of `<<<>>>`, so that the program goes on at once; cudaGetLastError waits for it. */
cudaError_t launch(const void *function, const Shape &shape, void **arguments, uint32_t flags, Wait wait = Wait::forCheck) {
  const std::string where = launchSite == nullptr ? callers() : place(launchSite);
  launchSite = nullptr;
  device();
  Kernel *kernel = nullptr;
  const cudaError_t error = findKernel(function, &kernel);
  if (error != cudaSuccess) return error;
  if (shape.sharedBytes > UINT32_MAX) return settle(cudaErrorInvalidValue);
  std::vector<char> block(kernel->parameterBytes);
  for (size_t index = 0; index < kernel->parameters.size(); ++index) {
    std::memcpy(block.data() + kernel->parameters[index].offset, arguments[index], kernel->parameters[index].size);
  }
  Request request;
  request.wide(kernel->module->handle).text(kernel->name).count(shape.grid.x).count(shape.grid.y).count(shape.grid.z).count(shape.block.x).count(shape.block.y).count(shape.block.z);
  request.count(static_cast<uint32_t>(shape.sharedBytes)).count(kernel->dynamicSharedLimit).count(flags | kBreaksWhenRefused).text(where).data(block.data(), block.size());
  if (captured(shape.stream, [request] { return start(request); })) return cudaSuccess;
  if (wait == Wait::forCheck) return start(request);
  const int pushed = pushShared();
  if (pushed != 0) return settle(pushed);
  post(kLaunch, request);
  expectChanges();
  return cudaSuccess;
}

} // namespace
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

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t sharedBytes, cudaStream_t stream) {
  return launch(reinterpret_cast<const void *>(kernel), {grid, block, sharedBytes, stream}, arguments, 0, Wait::forNothing);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes, cudaStream_t stream) {
  return launch(function, {grid, block, sharedBytes, stream}, arguments, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes, cudaStream_t stream) {
  return launch(function, {grid, block, sharedBytes, stream}, arguments, kCooperative);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *function, void **arguments) {
  if (configuration == nullptr) return settle(cudaErrorInvalidValue);
  uint32_t flags = 0;
  for (unsigned index = 0; index < configuration->numAttrs; ++index) {
    const cudaLaunchAttribute &attribute = configuration->attrs[index];
    if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0) flags |= kCooperative;
    if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
    const auto &cluster = attribute.val.clusterDim;
    if (cluster.x * cluster.y * cluster.z > 1) return lacking();
  }
  return launch(function, {configuration->gridDim, configuration->blockDim, configuration->dynamicSmemBytes, configuration->stream}, arguments, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (function == nullptr) return settle(cudaErrorInvalidValue);
  const Work call = [function, data] {
    // Everything before it in its stream has to be done.
    const cudaError_t error = synchronize();
    if (error == cudaSuccess) function(data);
    return error;
  };
  return captured(stream, call) ? cudaSuccess : call();
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
  if (callback == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t error = synchronize();
  callback(stream, error, data);
  return error;
}

} // extern "C"
