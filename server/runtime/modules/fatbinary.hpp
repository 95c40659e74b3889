#pragma once

#include <cuda_runtime_api.h>

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

/** Device code that a program loads itself: text of PTX, a fat binary, or the wrapper of one. */
FatBinary readImage(const void *image);

struct Module;

/** Loads device code that is not part of the program. Its kernels and variables are their own handles. */
cudaError_t loadImage(const FatBinary &binary, Module **module);

} // namespace kernelwright
