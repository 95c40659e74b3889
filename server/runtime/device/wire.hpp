// Fields of the device protocol (server/host/program/PROTOCOL.md): little endian, packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "device/operations.hpp"

namespace kernelwright {

/** Collects the fields of a request. Only little-endian machines run CUDA programs, so that numbers are
 * stored as they lie in memory. */
class Request {
public:
  explicit Request(Operation operation) : operation_(operation) {}

  Operation operation() const { return operation_; }
  Request &count(uint32_t value) { return append(&value, sizeof value); }
  Request &wide(uint64_t value) { return append(&value, sizeof value); }
  Request &text(const std::string &value) {
    count(static_cast<uint32_t>(value.size()));
    return append(value.data(), value.size());
  }
  Request &data(const void *bytes, size_t size) {
    count(static_cast<uint32_t>(size));
    return append(bytes, size);
  }
  const std::string &bytes() const { return bytes_; }

private:
  Request &append(const void *bytes, size_t size) {
    bytes_.append(static_cast<const char *>(bytes), size);
    return *this;
  }
  Operation operation_;
  std::string bytes_;
};

/** Reads the fields of a reply; behind the end every field is 0. */
class Reply {
public:
  int status = 0;
  std::vector<char> body;

  uint32_t count() { return take<uint32_t>(); }
  uint64_t wide() { return take<uint64_t>(); }
  /** True behind the last field. */
  bool ended() const { return at_ >= body.size(); }
  std::string text() {
    const size_t size = count();
    if (body.size() - at_ < size) return {};
    at_ += size;
    return std::string(body.data() + at_ - size, size);
  }

private:
  template <typename Number> Number take() {
    Number value = 0;
    if (body.size() - at_ < sizeof value) return value;
    std::memcpy(&value, body.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  size_t at_ = 0;
};

} // namespace kernelwright
