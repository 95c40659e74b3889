#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernelwright {

/** Device code of one source file. */
struct FatBinary {
  /** The file as nvcc named it. */
  std::string name;
  /** What runs. */
  std::string ptx;
  /** Machine code for its facts (may be empty). */
  std::string cubin;
  /** nvlink has made the machine code of the device code of these files. */
  bool linked = false;
  std::vector<FatBinary> parts;
};

/** Reads the uncompressed fat binary that nvcc put behind `__fatDeviceText`. Nothing is found in one of
 * another form. */
FatBinary readFatBinary(const void *wrapper);

} // namespace kernelwright
