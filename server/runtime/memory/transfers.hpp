// Copies and fills of rectangles, wherever the memory lies.
#pragma once

#include "device/runtime.hpp"

namespace kernelwright {

/** Bytes of one piece of a large transfer to the device. */
constexpr size_t kPiece = size_t{8} << 20;

/** Rows of memory on either side. */
struct Rows {
  char *start;
  size_t pitch;
};

struct Extent {
  size_t width;
  size_t height;
};

inline char *writable(const void *pointer) { return const_cast<char *>(static_cast<const char *>(pointer)); }

/** Copies a rectangle and waits for it. Refuses a direction that is not that of the pointers. */
cudaError_t copy(Rows to, Rows from, Extent extent, cudaMemcpyKind kind);

/** Repeats a value of 1, 2 or 4 bytes. `extent.width` is in bytes. */
cudaError_t fill(Rows to, uint32_t value, unsigned unit, Extent extent);

} // namespace kernelwright
