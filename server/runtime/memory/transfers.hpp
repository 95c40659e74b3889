// Copies and fills of rectangles, wherever the memory lies.
#pragma once

#include "device/runtime.hpp"

namespace kernelwright {

/** Rows of memory on either side. */
struct Rows {
  char *start;
  size_t pitch;
};

struct Extent {
  size_t width;
  size_t height;
};

/** Copies a rectangle and waits for it. Refuses a direction that is not that of the pointers. */
cudaError_t copy(Rows to, Rows from, Extent extent, cudaMemcpyKind kind);

/** Repeats a value of 1, 2 or 4 bytes. `extent.width` is in bytes. */
cudaError_t fill(Rows to, uint32_t value, unsigned unit, Extent extent);

} // namespace kernelwright
