// What a plan of cuFFT says: how many transforms of which sizes, and where their numbers lie.
#pragma once

#include <cufft.h>

#include <string>
#include <vector>

namespace kernelwright::fourier {

/** Where the numbers of one side lie, counted in numbers of that side. */
struct Layout {
  /** Numbers from one to the next along the last axis. */
  long long step = 1;
  /** From one transform of the batch to the next. */
  long long distance = 0;
  /** Sizes of the array that holds each transform; the first is not used. */
  std::vector<long long> sizes;

  /** Where a number lies: `at` counts along each axis. */
  long long place(long long transform, const std::vector<long long> &at) const {
    long long index = 0;
    for (size_t axis = 0; axis < at.size(); ++axis)
      index = index * (axis == 0 ? 1 : sizes[axis]) + at[axis];
    return transform * distance + index * step;
  }
};

struct Plan {
  bool isMade = false;
  cufftType type = CUFFT_C2C;
  /** Numbers along each axis, the slowest first. */
  std::vector<long long> sizes;
  long long batch = 1;
  /** The program's own layouts; else rows are packed, and padded where a transform is in its own place. */
  bool hasLayouts = false;
  Layout input;
  Layout output;
  cudaStream_t stream = nullptr;
};

/** The plan behind a handle; null when there is none. */
Plan *planOf(cufftHandle handle);

/** Tells the user what of a call is wrong, and gives the status back. */
cufftResult refused(const char *function, const std::string &what, cufftResult status);

} // namespace kernelwright::fourier
