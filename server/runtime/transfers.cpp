// Copies and fills, between host and device in every direction.
#include <cstring>
#include <vector>

#include "capture.hpp"
#include "runtime.hpp"
#include "shared_memory.hpp"

namespace kernelwright {
namespace {

/** Bytes of one piece of a large transfer to the device. */
constexpr size_t kPiece = size_t{8} << 20;
/** Bytes that are sent without asking first whether they fit. */
constexpr size_t kUnasked = 4096;

/** Rows of memory on either side. */
struct Rows {
  char *start;
  size_t pitch;
};

struct Extent {
  size_t width;
  size_t height;
};

/** Memory of the host, or memory that host and device share: the host's copy is the one to use. */
bool onHost(const void *pointer) { return !device().owns(pointer) || sharedAt(pointer) != nullptr; }

cudaError_t toDevice(Rows to, Rows from, Extent extent) {
  const std::string where = callers();
  const auto write = [&](size_t done, const char *bytes, size_t size) {
    Request request;
    request.address(to.start).wide(to.pitch).wide(extent.width).wide(extent.height).wide(done).text(where);
    return exchange(kWrite, request, {bytes, size}).status;
  };
  const bool oneRow = extent.height == 1 || (from.pitch == extent.width && to.pitch == extent.width);
  const size_t total = extent.width * extent.height;
  // A size that the device does not have is told before that many bytes of the host are read.
  const int refused = total > kUnasked ? write(0, nullptr, 0) : 0;
  if (refused != 0) return settle(refused);
  std::vector<char> packed;
  const char *bytes = from.start;
  if (!oneRow) {
    packed.resize(total);
    for (size_t row = 0; row < extent.height; ++row) std::memcpy(packed.data() + row * extent.width, from.start + row * from.pitch, extent.width);
    bytes = packed.data();
  }
  for (size_t done = 0; done < total;) {
    const size_t piece = total - done < kPiece ? total - done : kPiece;
    const int status = write(done, bytes + done, piece);
    if (status != 0) return settle(status);
    done += piece;
  }
  return cudaSuccess;
}

cudaError_t toHost(Rows to, Rows from, Extent extent) {
  Request request;
  request.address(from.start).wide(from.pitch).wide(extent.width).wide(extent.height).text(callers());
  if (extent.height == 1 || to.pitch == extent.width) return settle(exchange(kRead, request, {}, {to.start, extent.width * extent.height}));
  const Reply reply = exchange(kRead, request);
  if (reply.status != 0) return settle(reply);
  for (size_t row = 0; row < extent.height; ++row) std::memcpy(to.start + row * to.pitch, reply.body.data() + row * extent.width, extent.width);
  return cudaSuccess;
}

cudaError_t onDevice(Rows to, Rows from, Extent extent) {
  Request request;
  request.address(to.start).wide(to.pitch).address(from.start).wide(from.pitch).wide(extent.width).wide(extent.height).text(callers());
  return settle(exchange(kCopy, request));
}

/** False when the kind says something else of the pointers than is true. */
bool fits(cudaMemcpyKind kind, bool targetOnHost, bool sourceOnHost, bool shared) {
  switch (kind) {
  case cudaMemcpyHostToHost: return targetOnHost && sourceOnHost;
  case cudaMemcpyHostToDevice: return sourceOnHost;
  case cudaMemcpyDeviceToHost: return targetOnHost;
  case cudaMemcpyDeviceToDevice: return shared || !(targetOnHost && sourceOnHost);
  default: return true;
  }
}

cudaError_t copy(Rows to, Rows from, Extent extent, cudaMemcpyKind kind) {
  device();
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return settle(cudaErrorInvalidMemcpyDirection);
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  if (extent.height > 1 && (to.pitch < extent.width || from.pitch < extent.width)) return settle(cudaErrorInvalidPitchValue);
  if (to.start == nullptr || from.start == nullptr) return settle(cudaErrorInvalidValue);
  bool targetOnHost = onHost(to.start);
  bool sourceOnHost = onHost(from.start);
  const bool shared = sharedAt(to.start) != nullptr || sharedAt(from.start) != nullptr;
  if (!fits(kind, targetOnHost, sourceOnHost, shared)) return settle(cudaErrorInvalidValue);
  // A pointer that the program calls a device pointer is the device's to judge, wherever it points.
  if (kind == cudaMemcpyHostToDevice && sharedAt(to.start) == nullptr) targetOnHost = false;
  if (kind == cudaMemcpyDeviceToHost && sharedAt(from.start) == nullptr) sourceOnHost = false;
  // A copy waits for the kernels before it, and shared memory has to be current.
  const cudaError_t synchronized = synchronize();
  if (synchronized != cudaSuccess) return synchronized;
  if (targetOnHost && sourceOnHost) {
    for (size_t row = 0; row < extent.height; ++row) std::memmove(to.start + row * to.pitch, from.start + row * from.pitch, extent.width);
    return cudaSuccess;
  }
  if (sourceOnHost) return toDevice(to, from, extent);
  return targetOnHost ? toHost(to, from, extent) : onDevice(to, from, extent);
}

cudaError_t copyBytes(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return copy({static_cast<char *>(to), bytes}, {const_cast<char *>(static_cast<const char *>(from)), bytes}, {bytes, 1}, kind);
}

cudaError_t fill(Rows to, int value, Extent extent) {
  device();
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  const cudaError_t synchronized = synchronize();
  if (synchronized != cudaSuccess) return synchronized;
  if (sharedAt(to.start) != nullptr) {
    for (size_t row = 0; row < extent.height; ++row) std::memset(to.start + row * to.pitch, value, extent.width);
    return cudaSuccess;
  }
  Request request;
  request.address(to.start).wide(to.pitch).wide(extent.width).wide(extent.height).count(static_cast<uint32_t>(value) & 0xff).count(1).text(callers());
  return settle(exchange(kFill, request));
}

cudaError_t copySymbol(const void *shadow, size_t bytes, size_t offset, char **address) {
  Symbol *symbol = nullptr;
  const cudaError_t error = findSymbol(shadow, &symbol);
  if (error != cudaSuccess) return error;
  if (offset > symbol->bytes || bytes > symbol->bytes - offset) return settle(cudaErrorInvalidValue);
  *address = static_cast<char *>(symbol->address) + offset;
  return cudaSuccess;
}

/** Does the work, now or with the graph that the stream captures. */
cudaError_t issue(cudaStream_t stream, const Work &work) { return captured(stream, work) ? cudaSuccess : work(); }

/** A box of rows: slices of `height` rows that begin `pitch × ysize` bytes apart. */
Rows slice(const cudaPitchedPtr &box, const cudaPos &position, size_t depth) {
  return {static_cast<char *>(box.ptr) + ((position.z + depth) * box.ysize + position.y) * box.pitch + position.x, box.pitch};
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) { return copyBytes(to, from, bytes, kind); }

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return issue(stream, [=] { return copyBytes(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) { return copyBytes(to, from, bytes, cudaMemcpyDefault); }

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t) { return copyBytes(to, from, bytes, cudaMemcpyDefault); }

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy({static_cast<char *>(to), toPitch}, {const_cast<char *>(static_cast<const char *>(from)), fromPitch}, {width, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *box) {
  if (box == nullptr) return settle(cudaErrorInvalidValue);
  if (box->srcArray != nullptr || box->dstArray != nullptr) return lacking();
  for (size_t depth = 0; depth < box->extent.depth; ++depth) {
    const cudaError_t error = copy(slice(box->dstPtr, box->dstPos, depth), slice(box->srcPtr, box->srcPos, depth), {box->extent.width, box->extent.height}, box->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *box, cudaStream_t stream) {
  if (box == nullptr) return settle(cudaErrorInvalidValue);
  return issue(stream, [copied = *box] { return cudaMemcpy3D(&copied); });
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) { return fill({static_cast<char *>(to), bytes}, value, {bytes, 1}); }

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemset(to, value, bytes); });
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) { return fill({static_cast<char *>(to), pitch}, value, {width, height}); }

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemset2D(to, pitch, value, width, height); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent) {
  for (size_t depth = 0; depth < extent.depth; ++depth) {
    const cudaError_t error = fill(slice(box, {0, 0, 0}, depth), value, {extent.width, extent.height});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr box, int value, cudaExtent extent, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemset3D(box, value, extent); });
}

cudaError_t cudaMemcpyToSymbol(const void *shadow, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return settle(cudaErrorInvalidMemcpyDirection);
  char *address = nullptr;
  const cudaError_t error = copySymbol(shadow, bytes, offset, &address);
  return error == cudaSuccess ? copyBytes(address, from, bytes, kind) : error;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *shadow, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemcpyToSymbol(shadow, from, bytes, offset, kind); });
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *shadow, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return settle(cudaErrorInvalidMemcpyDirection);
  char *address = nullptr;
  const cudaError_t error = copySymbol(shadow, bytes, offset, &address);
  return error == cudaSuccess ? copyBytes(to, address, bytes, kind) : error;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *shadow, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return issue(stream, [=] { return cudaMemcpyFromSymbol(to, shadow, bytes, offset, kind); });
}

} // extern "C"
