// The driver API over the runtime: one device with one context, and the runtime's handles.
#pragma once

#include <cuda.h>

#include "device/runtime.hpp"

namespace kernelwright::driver {

/** The driver's number for an error of the runtime; most are the same. */
CUresult resultOf(cudaError_t error);

/** A copy of a rectangle that begins or ends in an array. */
CUresult copyArrays(const CUDA_MEMCPY2D &what);

inline void *pointer(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

} // namespace kernelwright::driver
