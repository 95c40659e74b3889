#include "memory/operands.hpp"

#include "graphs/capture.hpp"
#include "graphs/waiting-work.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

/** Where the device has the bytes: registered memory has another address there. */
uint64_t deviceAddress(const void *pointer) {
  const std::optional<SharedRange> range = sharedAt(pointer);
  if (!range) return addressOf(pointer);
  return range->device + static_cast<uint64_t>(static_cast<const char *>(pointer) - range->host);
}

protocol::Rectangle deviceRectangle(Rows rows, Extent extent) {
  const size_t pitch = extent.height == 1 ? extent.width : rows.pitch;
  return {deviceAddress(rows.start), pitch, extent.width, extent.height};
}

/** The device's own words for memory that is not there; a broken context has been told of already. */
cudaError_t judged(const Reply &reply, const char *verb, Rows rows) {
  if (reply.status == cudaErrorInvalidValue) {
    const std::string why(reply.body.begin(), reply.body.end());
    const std::string kind = device().owns(rows.start) || sharedAt(rows.start) ? "" : " memory of the host:";
    tell(std::string("a library function ") + verb + kind + " " + why);
  }
  return settle(reply);
}

void runKept(void *data) { settle((*static_cast<std::function<cudaError_t()> *>(data))()); }

} // namespace

cudaError_t readOperand(void *to, Rows from, Extent extent) {
  device();
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  const int pushed = pushShared();
  if (pushed != 0) return settle(pushed);
  const Request request = protocol::fetchRequest(deviceRectangle(from, extent), callers());
  return judged(exchange(request, {}, {to, extent.width * extent.height}), "reads", from);
}

cudaError_t writeOperand(Rows to, const void *from, Extent extent) {
  device();
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  const std::string where = callers();
  const int pushed = pushShared();
  if (pushed != 0) return settle(pushed);
  const size_t total = extent.width * extent.height;
  for (size_t done = 0; done < total;) {
    const size_t piece = total - done < kPiece ? total - done : kPiece;
    const Request request = protocol::writeRequest(deviceRectangle(to, extent), done, where);
    const Reply reply = exchange(request, {static_cast<const char *>(from) + done, piece});
    if (reply.status != 0) return judged(reply, "writes", to);
    done += piece;
  }
  expectChanges();
  return cudaSuccess;
}

cudaError_t issueWork(cudaStream_t stream, const std::function<cudaError_t()> &work) {
  device();
  if (!isCapturing(stream)) {
    const AtOnce now(stream);
    return work();
  }
  // Graphs are copied, and a copy may be launched as long as the program runs.
  auto *kept = new std::function<cudaError_t()>(work);
  const std::optional<cudaError_t> error = captured(stream, HostTask{runKept, kept});
  return error ? *error : work();
}

} // namespace kernelwright
