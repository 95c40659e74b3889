#pragma once

#include <cstddef>
#include <string>

namespace kernelwright {

/** What the virtual GPU needs of a fat binary: PTX to run, and machine code for its facts (may be empty). */
struct FatBinary {
  std::string ptx;
  std::string cubin;
};

/** Reads the uncompressed fat binary that nvcc put behind `__fatDeviceText`. Nothing is found in one of another form. */
FatBinary readFatBinary(const void *wrapper);

} // namespace kernelwright
