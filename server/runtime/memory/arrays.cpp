// CUDA arrays and copies to and from them.
#include "memory/arrays.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "graphs/capture.hpp"
#include "device/runtime.hpp"
#include "memory/transfers.hpp"

// Programs may still call what the toolkit's headers advise against.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace kernelwright {
namespace {

std::mutex arraysMutex;

std::map<const void *, std::unique_ptr<Array>> &arrays() {
  static std::map<const void *, std::unique_ptr<Array>> all;
  return all;
}

bool isWithin(size_t value, int attribute) {
  const size_t most = static_cast<size_t>(device().attribute(attribute));
  return most == 0 || value <= most;
}

/** Whether the device has arrays of these sizes (CUDA C++ Programming Guide, technical specifications). */
bool fits(const cudaExtent &extent, bool layered) {
  if (layered && extent.height == 0)
    return isWithin(extent.width, cudaDevAttrMaxTexture1DLayeredWidth) &&
           isWithin(extent.depth, cudaDevAttrMaxTexture1DLayeredLayers);
  if (layered) {
    return isWithin(extent.width, cudaDevAttrMaxTexture2DLayeredWidth) &&
           isWithin(extent.height, cudaDevAttrMaxTexture2DLayeredHeight) &&
           isWithin(extent.depth, cudaDevAttrMaxTexture2DLayeredLayers);
  }
  if (extent.depth > 0)
    return isWithin(extent.width, cudaDevAttrMaxTexture3DWidth) &&
           isWithin(extent.height, cudaDevAttrMaxTexture3DHeight) &&
           isWithin(extent.depth, cudaDevAttrMaxTexture3DDepth);
  if (extent.height == 0) return isWithin(extent.width, cudaDevAttrMaxTexture1DWidth);
  return isWithin(extent.width, cudaDevAttrMaxTexture2DWidth) &&
         isWithin(extent.height, cudaDevAttrMaxTexture2DHeight);
}

cudaError_t allocate(cudaArray_t *array, const cudaChannelFormatDesc *format, const cudaExtent &extent,
                     unsigned flags) {
  if (array == nullptr || format == nullptr) return settle(cudaErrorInvalidValue);
  device();
  const bool isCube = (flags & cudaArrayCubemap) != 0;
  if (isCube && (flags & cudaArrayLayered) != 0) return lacking("layered cubemap arrays");
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return lacking("sparse arrays and arrays that are mapped later");
  if (format->f > cudaChannelFormatKindFloat)
    return lacking("arrays of compressed, planar or normalized formats");
  const size_t bytes = texelBytesOf(*format);
  const bool layered = (flags & cudaArrayLayered) != 0;
  const bool isVolume = extent.depth > 0 && !layered;
  if (bytes == 0 || extent.width == 0 || (isVolume && extent.height == 0) || (layered && extent.depth == 0))
    return settle(cudaErrorInvalidValue);
  constexpr unsigned known =
      cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if ((flags & ~known) != 0 || !fits(extent, layered)) return settle(cudaErrorInvalidValue);
  if (isCube && (extent.width != extent.height || extent.depth != 6)) return settle(cudaErrorInvalidValue);
  if ((flags & cudaArrayTextureGather) && (extent.height == 0 || extent.depth > 0))
    return settle(cudaErrorInvalidValue);
  const size_t rows = extent.height == 0 ? 1 : extent.height;
  const size_t slices = extent.depth == 0 ? 1 : extent.depth;
  size_t total = 0;
  if (__builtin_mul_overflow(extent.width * bytes, rows * slices, &total))
    return settle(cudaErrorMemoryAllocation);
  protocol::AllocateReply reply;
  const int status = ask(protocol::allocateRequest(total, "array", callers()), reply);
  if (status != 0) return settle(status);
  auto made = std::make_unique<Array>(Array{*format, extent, flags, reinterpret_cast<char *>(reply.address),
                                            bytes, extent.width * bytes, rows, slices});
  *array = reinterpret_cast<cudaArray_t>(made.get());
  std::lock_guard<std::mutex> lock(arraysMutex);
  arrays()[made.get()] = std::move(made);
  return cudaSuccess;
}

/** One end of a rectangle: an array from some byte of some row on. */
cudaPitchedPtr endIn(const Array &array, size_t x, size_t y) {
  return {array.address + y * array.pitch + x, array.pitch, array.pitch, array.rows};
}

/** False, and told to the sanitizer, when a rectangle does not lie within a two-dimensional array. */
bool holds(const Array &array, size_t x, size_t y, size_t width, size_t height) {
  const bool inside = x <= array.pitch && width <= array.pitch - x && y <= array.rows &&
                      height <= array.rows - y && array.slices == 1;
  if (!inside) {
    misused(cudaErrorInvalidValue,
            std::to_string(height) + " rows of " + std::to_string(width) + " bytes from byte " +
                std::to_string(x) + " of row " + std::to_string(y) + " on do not lie within an array of " +
                std::to_string(array.rows) + " rows of " + std::to_string(array.pitch) + " bytes");
  }
  return inside;
}

CopyTask rectangle(const cudaPitchedPtr &to, const cudaPitchedPtr &from, size_t width, size_t height,
                   cudaMemcpyKind kind) {
  CopyTask task = {};
  task.box.srcPtr = from;
  task.box.dstPtr = to;
  task.box.extent = {width, height, 1};
  task.box.kind = kind;
  return task;
}

/** False, and told to the sanitizer, when bytes from a place of an array on reach behind its end. */
bool holdsBytes(const Array &array, size_t x, size_t y, size_t count) {
  const size_t total = array.pitch * array.rows;
  const bool inside = x <= array.pitch && y <= array.rows && array.slices == 1 &&
                      y * array.pitch + x <= total && count <= total - y * array.pitch - x;
  if (!inside)
    misused(cudaErrorInvalidValue, std::to_string(count) + " bytes from byte " + std::to_string(x) +
                                       " of row " + std::to_string(y) + " on do not lie within an array of " +
                                       std::to_string(total) + " bytes");
  return inside;
}

/** Replaces one end of a box that is an array. */
cudaError_t resolve(cudaArray_t &handle, cudaPitchedPtr &pointer, cudaPos &position,
                    const cudaExtent &extent) {
  if (handle == nullptr) return cudaSuccess;
  const Array *array = arrayOf(handle);
  if (array == nullptr) return cudaErrorInvalidValue;
  const auto isInside = [](size_t at, size_t size, size_t whole) {
    return at <= whole && size <= whole - at;
  };
  if (!isInside(position.x, extent.width, array->extent.width) ||
      !isInside(position.y, extent.height, array->rows) ||
      !isInside(position.z, extent.depth, array->slices)) {
    return misused(cudaErrorInvalidValue,
                   "a box of " + std::to_string(extent.width) + " × " + std::to_string(extent.height) +
                       " × " + std::to_string(extent.depth) + " elements does not lie within the array");
  }
  pointer = {array->address, array->pitch, array->pitch, array->rows};
  position.x *= array->texelBytes;
  handle = nullptr;
  return cudaSuccess;
}

} // namespace

const Array *arrayOf(cudaArray_const_t handle) {
  {
    std::lock_guard<std::mutex> lock(arraysMutex);
    const auto found = arrays().find(handle);
    if (found != arrays().end()) return found->second.get();
  }
  misused(cudaErrorInvalidValue,
          handle == nullptr ? "the array is a null pointer" : "there is no such array, or it was freed");
  return nullptr;
}

size_t texelBytesOf(const cudaChannelFormatDesc &format) {
  const int bits = format.x;
  if (bits != 8 && bits != 16 && bits != 32) return 0;
  const int channels = format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
  const bool isEven = (channels < 2 || format.y == bits) &&
                      (channels < 4 || (format.z == bits && format.w == bits)) &&
                      (channels == 4 || (format.z == 0 && format.w == 0));
  const bool isKnown = format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned ||
                       (format.f == cudaChannelFormatKindFloat && bits != 8);
  return isEven && isKnown ? static_cast<size_t>(channels * bits / 8) : 0;
}

cudaError_t resolveArrays(cudaMemcpy3DParms &box) {
  if (box.srcArray == nullptr && box.dstArray == nullptr) return cudaSuccess;
  const Array *target = box.dstArray == nullptr ? nullptr : arrayOf(box.dstArray);
  const Array *source = box.srcArray == nullptr ? nullptr : arrayOf(box.srcArray);
  if ((box.dstArray != nullptr && target == nullptr) || (box.srcArray != nullptr && source == nullptr))
    return settle(cudaErrorInvalidValue);
  if ((target != nullptr && box.dstPtr.ptr != nullptr) || (source != nullptr && box.srcPtr.ptr != nullptr))
    return misused(cudaErrorInvalidValue, "one end of the copy is an array and a pointer");
  if (target != nullptr && source != nullptr && target->texelBytes != source->texelBytes)
    return misused(cudaErrorInvalidValue, "the two arrays have elements of different sizes");
  cudaError_t error = resolve(box.dstArray, box.dstPtr, box.dstPos, box.extent);
  if (error == cudaSuccess) error = resolve(box.srcArray, box.srcPtr, box.srcPos, box.extent);
  // With an array the width is in its elements.
  box.extent.width *= (target != nullptr ? target : source)->texelBytes;
  return error;
}

void forgetArrays() {
  std::lock_guard<std::mutex> lock(arraysMutex);
  arrays().clear();
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap)) return settle(cudaErrorInvalidValue);
  return allocate(array, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                              unsigned flags) {
  return allocate(array, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t handle) {
  device();
  if (handle == nullptr) return cudaSuccess;
  const Array *array = arrayOf(handle);
  if (array == nullptr) return settle(cudaErrorInvalidValue);
  const cudaError_t error = synchronize();
  if (error != cudaSuccess) return error;
  const Reply reply = exchange(protocol::freeRequest(addressOf(array->address), callers()));
  std::lock_guard<std::mutex> lock(arraysMutex);
  arrays().erase(handle);
  return settle(reply);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                             cudaArray_t handle) {
  const Array *array = arrayOf(handle);
  if (array == nullptr) return settle(cudaErrorInvalidValue);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t handle) {
  const Array *array = arrayOf(handle);
  if (array == nullptr || format == nullptr) return settle(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const Array *array = arrayOf(to);
  if (array == nullptr || !holds(*array, x, y, width, height)) return settle(cudaErrorInvalidValue);
  return issue(stream,
               rectangle(endIn(*array, x, y), {writable(from), pitch, width, height}, width, height, kind));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  const Array *array = arrayOf(from);
  if (array == nullptr || !holds(*array, x, y, width, height)) return settle(cudaErrorInvalidValue);
  return issue(stream, rectangle({to, pitch, width, height}, endIn(*array, x, y), width, height, kind));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  const Array *target = arrayOf(to);
  const Array *source = arrayOf(from);
  if (target == nullptr || source == nullptr || !holds(*target, toX, toY, width, height) ||
      !holds(*source, fromX, fromY, width, height))
    return settle(cudaErrorInvalidValue);
  return issue(nullptr,
               rectangle(endIn(*target, toX, toY), endIn(*source, fromX, fromY), width, height, kind));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  const Array *array = arrayOf(to);
  if (array == nullptr || !holdsBytes(*array, x, y, count)) return settle(cudaErrorInvalidValue);
  return issue(stream, plainCopy(endIn(*array, x, y).ptr, from, count, kind));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
                              cudaMemcpyKind kind) {
  return cudaMemcpyToArrayAsync(to, x, y, from, count, kind, nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  const Array *array = arrayOf(from);
  if (array == nullptr || !holdsBytes(*array, x, y, count)) return settle(cudaErrorInvalidValue);
  return issue(stream, plainCopy(to, endIn(*array, x, y).ptr, count, kind));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return cudaMemcpyFromArrayAsync(to, from, x, y, count, kind, nullptr);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                   size_t fromX, size_t fromY, size_t count, cudaMemcpyKind kind) {
  const Array *target = arrayOf(to);
  const Array *source = arrayOf(from);
  if (target == nullptr || source == nullptr || !holdsBytes(*target, toX, toY, count) ||
      !holdsBytes(*source, fromX, fromY, count))
    return settle(cudaErrorInvalidValue);
  return issue(nullptr,
               plainCopy(endIn(*target, toX, toY).ptr, endIn(*source, fromX, fromY).ptr, count, kind));
}

PER_THREAD(cudaMemcpy2DToArray, _ptds)
PER_THREAD(cudaMemcpy2DFromArray, _ptds)
PER_THREAD(cudaMemcpy2DArrayToArray, _ptds)
PER_THREAD(cudaMemcpyToArray, _ptds)
PER_THREAD(cudaMemcpyFromArray, _ptds)
PER_THREAD(cudaMemcpyArrayToArray, _ptds)
PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz)
PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz)
PER_THREAD(cudaMemcpyToArrayAsync, _ptsz)
PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz)

} // extern "C"
