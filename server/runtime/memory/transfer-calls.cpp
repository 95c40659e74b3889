// The calls of the CUDA runtime that copy and fill.
#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "memory/arrays.hpp"
#include "memory/transfers.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace kernelwright {
namespace {

/** A call that waits belongs to the default stream: work of streams that do not block goes on meanwhile. */
cudaError_t copyBytes(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  const AtOnce now(nullptr);
  return copy({static_cast<char *>(to), bytes}, {const_cast<char *>(static_cast<const char *>(from)), bytes},
              {bytes, 1}, kind);
}

cudaMemsetParams bytesOf(void *to, size_t pitch, int value, size_t width, size_t height) {
  return {to, pitch, static_cast<unsigned>(value) & 0xff, 1, width, height};
}

/** The name that a symbol has in its source: `tables::row`. */
std::string sourceName(const std::string &symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? readable.get() : symbol;
}

cudaError_t copySymbol(const void *shadow, size_t bytes, size_t offset, char **address) {
  Symbol *symbol = nullptr;
  const cudaError_t error = findSymbol(shadow, &symbol);
  if (error != cudaSuccess) return error;
  if (offset > symbol->bytes || bytes > symbol->bytes - offset) {
    return misused(cudaErrorInvalidValue, "the range does not lie within the " +
                                              std::to_string(symbol->bytes) + " bytes of the variable " +
                                              sourceName(symbol->name));
  }
  *address = static_cast<char *>(symbol->address) + offset;
  return cudaSuccess;
}

/** A box of rows: slices of `height` rows that begin `pitch × ysize` bytes apart. */
Rows slice(const cudaPitchedPtr &box, const cudaPos &position, size_t depth) {
  return {static_cast<char *>(box.ptr) + ((position.z + depth) * box.ysize + position.y) * box.pitch +
              position.x,
          box.pitch};
}

CopyTask rectangle(Rows to, Rows from, Extent extent, cudaMemcpyKind kind) {
  CopyTask task = {};
  task.box.srcPtr = {from.start, from.pitch, extent.width, extent.height};
  task.box.dstPtr = {to.start, to.pitch, extent.width, extent.height};
  task.box.extent = {extent.width, extent.height, 1};
  task.box.kind = kind;
  return task;
}

} // namespace

CopyTask plainCopy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return rectangle({static_cast<char *>(to), bytes}, {writable(from), bytes}, {bytes, 1}, kind);
}

cudaError_t copyToSymbol(CopyTask &task, const void *shadow, const void *from, size_t bytes, size_t offset,
                         cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return settle(cudaErrorInvalidMemcpyDirection);
  char *address = nullptr;
  const cudaError_t error = copySymbol(shadow, bytes, offset, &address);
  task = plainCopy(address, from, bytes, kind);
  return error;
}

cudaError_t copyFromSymbol(CopyTask &task, void *to, const void *shadow, size_t bytes, size_t offset,
                           cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return settle(cudaErrorInvalidMemcpyDirection);
  char *address = nullptr;
  const cudaError_t error = copySymbol(shadow, bytes, offset, &address);
  task = plainCopy(to, address, bytes, kind);
  return error;
}

cudaError_t perform(const CopyTask &task) { return cudaMemcpy3D(&task.box); }

cudaError_t perform(const FillTask &task) {
  const cudaMemsetParams &area = task.area;
  return fill({static_cast<char *>(area.dst), area.pitch}, area.value, area.elementSize,
              {area.width * area.elementSize, area.height});
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return copyBytes(to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return issue(stream, plainCopy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  return toDevice == 0 && fromDevice == 0 ? copyBytes(to, from, bytes, cudaMemcpyDefault)
                                          : settle(cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                                cudaStream_t stream) {
  return toDevice == 0 && fromDevice == 0 ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream)
                                          : settle(cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t count,
                                 cudaMemcpyAttributes *, size_t *, size_t, cudaStream_t stream) {
  if ((to == nullptr || from == nullptr || sizes == nullptr) && count > 0)
    return settle(cudaErrorInvalidValue);
  for (size_t index = 0; index < count; ++index) {
    const cudaError_t error =
        cudaMemcpyAsync(to[index], from[index], sizes[index], cudaMemcpyDefault, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  const AtOnce now(nullptr);
  return copy({static_cast<char *>(to), toPitch}, {writable(from), fromPitch}, {width, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return issue(stream, rectangle({static_cast<char *>(to), toPitch}, {writable(from), fromPitch},
                                 {width, height}, kind));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *given) {
  if (given == nullptr) return settle(cudaErrorInvalidValue);
  cudaMemcpy3DParms plain = *given;
  const cudaError_t resolved = resolveArrays(plain);
  if (resolved != cudaSuccess) return resolved;
  const AtOnce now(nullptr);
  const cudaMemcpy3DParms *box = &plain;
  for (size_t depth = 0; depth < box->extent.depth; ++depth) {
    const cudaError_t error =
        copy(slice(box->dstPtr, box->dstPos, depth), slice(box->srcPtr, box->srcPos, depth),
             {box->extent.width, box->extent.height}, box->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *box, cudaStream_t stream) {
  return box == nullptr ? settle(cudaErrorInvalidValue) : issue(stream, CopyTask{*box});
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *box, cudaStream_t stream) {
  if (box == nullptr) return settle(cudaErrorInvalidValue);
  if (box->srcDevice != 0 || box->dstDevice != 0) return settle(cudaErrorInvalidDevice);
  return issue(stream, CopyTask{{box->srcArray, box->srcPos, box->srcPtr, box->dstArray, box->dstPos,
                                 box->dstPtr, box->extent, cudaMemcpyDefault}});
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *box) { return cudaMemcpy3DPeerAsync(box, nullptr); }

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  const AtOnce now(nullptr);
  return perform(FillTask{bytesOf(to, bytes, value, bytes, 1)});
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return issue(stream, FillTask{bytesOf(to, bytes, value, bytes, 1)});
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  const AtOnce now(nullptr);
  return perform(FillTask{bytesOf(to, pitch, value, width, height)});
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return issue(stream, FillTask{bytesOf(to, pitch, value, width, height)});
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr box, int value, cudaExtent extent, cudaStream_t stream) {
  for (size_t depth = 0; depth < extent.depth; ++depth) {
    const Rows rows = slice(box, {0, 0, 0}, depth);
    const cudaError_t error =
        issue(stream, FillTask{bytesOf(rows.start, rows.pitch, value, extent.width, extent.height)});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent) {
  return cudaMemset3DAsync(box, value, extent, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *shadow, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  CopyTask task;
  const cudaError_t error = copyToSymbol(task, shadow, from, bytes, offset, kind);
  return error == cudaSuccess ? issue(stream, task) : error;
}

cudaError_t cudaMemcpyToSymbol(const void *shadow, const void *from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  const AtOnce now(nullptr);
  return cudaMemcpyToSymbolAsync(shadow, from, bytes, offset, kind, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *shadow, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  CopyTask task;
  const cudaError_t error = copyFromSymbol(task, to, shadow, bytes, offset, kind);
  return error == cudaSuccess ? issue(stream, task) : error;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *shadow, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  const AtOnce now(nullptr);
  return cudaMemcpyFromSymbolAsync(to, shadow, bytes, offset, kind, nullptr);
}

PER_THREAD(cudaMemcpy, _ptds)
PER_THREAD(cudaMemcpy2D, _ptds)
PER_THREAD(cudaMemcpy3D, _ptds)
PER_THREAD(cudaMemcpy3DPeer, _ptds)
PER_THREAD(cudaMemset, _ptds)
PER_THREAD(cudaMemset2D, _ptds)
PER_THREAD(cudaMemset3D, _ptds)
PER_THREAD(cudaMemcpyToSymbol, _ptds)
PER_THREAD(cudaMemcpyFromSymbol, _ptds)
PER_THREAD(cudaMemcpyAsync, _ptsz)
PER_THREAD(cudaMemcpyBatchAsync, _ptsz)
PER_THREAD(cudaMemcpy2DAsync, _ptsz)
PER_THREAD(cudaMemcpy3DAsync, _ptsz)
PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz)
PER_THREAD(cudaMemsetAsync, _ptsz)
PER_THREAD(cudaMemset2DAsync, _ptsz)
PER_THREAD(cudaMemset3DAsync, _ptsz)
PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz)
PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz)

} // extern "C"
