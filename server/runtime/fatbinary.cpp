#include "fatbinary.hpp"

#include <cstdint>
#include <cstring>

namespace kernelwright {
namespace {

/** As `fatbinary_section.h` of the toolkit declares it. */
struct Wrapper {
  int32_t magic;
  int32_t version;
  const char *data;
  void *unused;
};

struct FileHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t headerBytes;
  uint64_t bytes;
};

/** The fields of an entry that we read; the header is longer, as `headerBytes` says. */
struct EntryHeader {
  uint16_t kind;
  uint16_t version;
  uint32_t headerBytes;
  uint64_t bytes;
};

constexpr int32_t kWrapperMagic = 0x466243b1;
constexpr uint32_t kFileMagic = 0xba55ed50;
constexpr uint16_t kPtx = 1;
constexpr uint16_t kCubin = 2;

} // namespace

FatBinary readFatBinary(const void *wrapperAddress) {
  FatBinary found;
  Wrapper wrapper;
  std::memcpy(&wrapper, wrapperAddress, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic || wrapper.data == nullptr) return found;
  FileHeader file;
  std::memcpy(&file, wrapper.data, sizeof file);
  if (file.magic != kFileMagic) return found;
  const char *at = wrapper.data + file.headerBytes;
  const char *end = at + file.bytes;
  while (at + sizeof(EntryHeader) <= end) {
    EntryHeader entry;
    std::memcpy(&entry, at, sizeof entry);
    const char *payload = at + entry.headerBytes;
    if (entry.headerBytes < sizeof entry || payload + entry.bytes > end) break;
    if (entry.kind == kPtx && found.ptx.empty()) found.ptx.assign(payload, strnlen(payload, entry.bytes));
    if (entry.kind == kCubin && found.cubin.empty()) found.cubin.assign(payload, entry.bytes);
    at = payload + entry.bytes;
  }
  return found;
}

} // namespace kernelwright
