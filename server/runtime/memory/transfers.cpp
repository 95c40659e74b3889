// Copies and fills, between host and device in every direction.
#include "memory/transfers.hpp"

#include <cstring>
#include <vector>

#include "blocks/host-blocks.hpp"
#include "memory/lent-memory.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

/** Bytes that are sent without asking first whether they fit. */
constexpr size_t kUnasked = 4096;

/** Memory of the host, or memory that host and device share: the host's copy is the one to use. */
bool onHost(const void *pointer) { return !device().owns(pointer) || sharedAt(pointer); }

protocol::Rectangle rectangleOf(Rows rows, Extent extent) {
  return {addressOf(rows.start), rows.pitch, extent.width, extent.height};
}

cudaError_t toDevice(Rows to, Rows from, Extent extent) {
  const std::string where = callers();
  const auto write = [&](size_t done, const char *bytes, size_t size) {
    return exchange(protocol::writeRequest(rectangleOf(to, extent), done, where), {bytes, size}).status;
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
    for (size_t row = 0; row < extent.height; ++row)
      std::memcpy(packed.data() + row * extent.width, from.start + row * from.pitch, extent.width);
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
  const Request request = protocol::readRequest(rectangleOf(from, extent), callers());
  if (extent.height == 1 || to.pitch == extent.width)
    return settle(exchange(request, {}, {to.start, extent.width * extent.height}));
  const Reply reply = exchange(request);
  if (reply.status != 0) return settle(reply);
  for (size_t row = 0; row < extent.height; ++row)
    std::memcpy(to.start + row * to.pitch, reply.body.data() + row * extent.width, extent.width);
  return cudaSuccess;
}

/** Bytes from the first to behind the last that rows have. */
size_t spanOf(Rows rows, Extent extent) { return (extent.height - 1) * rows.pitch + extent.width; }

cudaError_t onDevice(Rows to, Rows from, Extent extent, cudaMemcpyKind kind) {
  return settle(
      exchange(protocol::copyRequest({addressOf(to.start), to.pitch}, {addressOf(from.start), from.pitch},
                                     extent.width, extent.height, static_cast<uint32_t>(kind), callers())));
}

/** False when the kind says something else of the pointers than is true. */
bool fits(cudaMemcpyKind kind, bool targetOnHost, bool sourceOnHost, bool shared) {
  switch (kind) {
  case cudaMemcpyHostToHost:
    return targetOnHost && sourceOnHost;
  case cudaMemcpyHostToDevice:
    return sourceOnHost;
  case cudaMemcpyDeviceToHost:
    return targetOnHost;
  case cudaMemcpyDeviceToDevice:
    return shared || !(targetOnHost && sourceOnHost);
  default:
    return true;
  }
}

/** Which side of a copy is not where its direction says. */
std::string misdirected(cudaMemcpyKind kind, bool targetOnHost, bool sourceOnHost) {
  const char *names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                         "cudaMemcpyDeviceToDevice"};
  const bool fromHost = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  const bool isSource = sourceOnHost != fromHost;
  const bool isOnHost = isSource ? sourceOnHost : targetOnHost;
  return std::string("the direction is ") + names[kind] + ", but the " + (isSource ? "source" : "target") +
         " is memory of the " + (isOnHost ? "host" : "device");
}

} // namespace

cudaError_t copy(Rows to, Rows from, Extent extent, cudaMemcpyKind kind) {
  device();
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return misused(cudaErrorInvalidMemcpyDirection, "there is no direction " + std::to_string(kind));
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  if (extent.height > 1 && (to.pitch < extent.width || from.pitch < extent.width)) {
    const size_t pitch = to.pitch < extent.width ? to.pitch : from.pitch;
    return misused(cudaErrorInvalidPitchValue, "a pitch of " + std::to_string(pitch) +
                                                   " bytes is less than the width of " +
                                                   std::to_string(extent.width));
  }
  if (to.start == nullptr || from.start == nullptr)
    return misused(cudaErrorInvalidValue,
                   to.start == nullptr ? "the target is a null pointer" : "the source is a null pointer");
  size_t total = 0;
  if (__builtin_mul_overflow(extent.width, extent.height, &total))
    return misused(cudaErrorInvalidValue, "no memory has " + std::to_string(extent.height) + " rows of " +
                                              std::to_string(extent.width) + " bytes");
  bool targetOnHost = onHost(to.start);
  bool sourceOnHost = onHost(from.start);
  const bool shared = sharedAt(to.start) || sharedAt(from.start);
  const bool lent = isLent(to.start) || isLent(from.start);
  if (!lent && !fits(kind, targetOnHost, sourceOnHost, shared))
    return misused(cudaErrorInvalidValue, misdirected(kind, targetOnHost, sourceOnHost));
  // A pointer that the program calls a device pointer is the device's to judge, wherever it points.
  if (kind == cudaMemcpyHostToDevice && !sharedAt(to.start)) targetOnHost = false;
  if (kind == cudaMemcpyDeviceToHost && !sharedAt(from.start)) sourceOnHost = false;
  if (sourceOnHost && requireInBlock != nullptr) requireInBlock(from.start, spanOf(from, extent), true);
  if (targetOnHost && requireInBlock != nullptr) requireInBlock(to.start, spanOf(to, extent), false);
  // A copy waits for the kernels before it, and shared memory has to be current.
  const cudaError_t synchronized = synchronize();
  if (synchronized != cudaSuccess) return synchronized;
  if (targetOnHost && sourceOnHost) {
    for (size_t row = 0; row < extent.height; ++row)
      std::memmove(to.start + row * to.pitch, from.start + row * from.pitch, extent.width);
    return cudaSuccess;
  }
  if (sourceOnHost) return toDevice(to, from, extent);
  return targetOnHost ? toHost(to, from, extent) : onDevice(to, from, extent, kind);
}

cudaError_t fill(Rows to, uint32_t value, unsigned unit, Extent extent) {
  device();
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  const cudaError_t synchronized = synchronize();
  if (synchronized != cudaSuccess) return synchronized;
  if (sharedAt(to.start)) {
    for (size_t row = 0; row < extent.height; ++row) {
      // Only little-endian machines run CUDA programs: a value begins with its lowest byte.
      for (size_t at = 0; at < extent.width; at += unit)
        std::memcpy(to.start + row * to.pitch + at, &value, unit);
    }
    return cudaSuccess;
  }
  return settle(exchange(protocol::fillRequest(rectangleOf(to, extent), value, unit, callers())));
}

} // namespace kernelwright
