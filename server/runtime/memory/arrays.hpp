// CUDA arrays: device memory with rows of texels, which only this program's runtime knows as such.
#pragma once

#include "graphs/tasks.hpp"

namespace kernelwright {

/** What a cudaArray_t points to. Rows follow each other without gaps, and so do slices or layers. */
struct Array {
  cudaChannelFormatDesc format;
  /** As the program gave it: 0 for a dimension that the array lacks. */
  cudaExtent extent;
  unsigned flags;
  char *address;
  size_t texelBytes;
  size_t pitch;
  size_t rows;
  size_t slices;
};

/** The array behind a handle; null, and told to the sanitizer, when there is none. */
const Array *arrayOf(cudaArray_const_t handle);

/** Bytes of a texel; 0 for a format that arrays and textures do not have. */
size_t texelBytesOf(const cudaChannelFormatDesc &format);

/** Puts plain memory in the place of a copy's arrays. */
cudaError_t resolveArrays(cudaMemcpy3DParms &box);

/** All arrays went with the device's memory. */
void forgetArrays();
/** So did all texture and surface objects. */
void forgetImages();

} // namespace kernelwright
