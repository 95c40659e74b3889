#include "modules/fatbinary.hpp"

#include <cstdint>
#include <cstring>

namespace kernelwright {
namespace {

/** As `fatbinary_section.h` of the toolkit declares it. */
struct Wrapper {
  int32_t magic;
  int32_t version;
  const char *data;
  /** Of version 2: the fat binaries of the files that were linked, and a null pointer. */
  const char *const *prelinked;
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
  uint32_t unread[4];
  uint32_t nameOffset;
  uint32_t nameBytes;
};

constexpr int32_t kWrapperMagic = 0x466243b1;
constexpr uint32_t kFileMagic = 0xba55ed50;
constexpr uint16_t kPtx = 1;
constexpr uint16_t kCubin = 2;
constexpr int32_t kLinkedVersion = 2;

FatBinary readEntries(const char *data) {
  FatBinary found;
  FileHeader file;
  std::memcpy(&file, data, sizeof file);
  if (file.magic != kFileMagic) return found;
  const char *at = data + file.headerBytes;
  const char *end = at + file.bytes;
  while (at + sizeof(EntryHeader) <= end) {
    EntryHeader entry;
    std::memcpy(&entry, at, sizeof entry);
    const char *payload = at + entry.headerBytes;
    if (entry.headerBytes < sizeof entry || payload + entry.bytes > end) break;
    const bool named =
        entry.nameOffset >= sizeof entry && uint64_t{entry.nameOffset} + entry.nameBytes <= entry.headerBytes;
    if (named && found.name.empty())
      found.name.assign(at + entry.nameOffset, strnlen(at + entry.nameOffset, entry.nameBytes));
    if (entry.kind == kPtx && found.ptx.empty()) found.ptx.assign(payload, strnlen(payload, entry.bytes));
    if (entry.kind == kCubin && found.cubin.empty()) found.cubin.assign(payload, entry.bytes);
    at = payload + entry.bytes;
  }
  // Compressed code begins with none of PTX's directives or comments.
  if (found.ptx.find(".version") == std::string::npos) found.ptx.clear();
  return found;
}

} // namespace

FatBinary readFatBinary(const void *wrapperAddress) {
  Wrapper wrapper;
  std::memcpy(&wrapper, wrapperAddress, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic || wrapper.data == nullptr) return {};
  FatBinary found = readEntries(wrapper.data);
  found.linked = wrapper.version == kLinkedVersion && wrapper.prelinked != nullptr;
  for (const char *const *part = wrapper.prelinked; found.linked && *part != nullptr; ++part)
    found.parts.push_back(readEntries(*part));
  return found;
}

FatBinary readImage(const void *image) {
  uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == kFileMagic) return readEntries(static_cast<const char *>(image));
  if (magic == static_cast<uint32_t>(kWrapperMagic)) return readFatBinary(image);
  FatBinary found;
  // Machine code alone begins as an ELF file does; everything else is text.
  if (std::memcmp(image, "\177ELF", 4) != 0) found.ptx = static_cast<const char *>(image);
  return found;
}

} // namespace kernelwright
