// What the descriptors of cuBLASLt hold, in the memory that the program may own.
#pragma once

#include <cublasLt.h>

#include <cstdint>

namespace kernelwright::light {

struct Layout {
  uint32_t type;
  int32_t order;
  uint64_t rows;
  uint64_t columns;
  int64_t leading;
  int64_t batchStride;
  int32_t batches;
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t),
              "a layout lies in the program's memory");

struct Operation {
  int32_t compute;
  int32_t scaleType;
  int32_t pointerMode;
  int32_t opA;
  int32_t opB;
  int32_t opC;
  int32_t fill;
  uint32_t epilogue;
  void *bias;
  int64_t biasStride;
  int32_t biasType;
  int32_t auxiliaryType;
  void *auxiliary;
  int64_t auxiliaryLeading;
  int64_t auxiliaryStride;
  const float *scales[4];
  float *largest;
  int32_t multiprocessors;
  int8_t fastSums;
};
static_assert(sizeof(Operation) <= sizeof(cublasLtMatmulDescOpaque_t), "it lies in the program's memory");

inline Layout &layoutOf(cublasLtMatrixLayout_t handle) { return *reinterpret_cast<Layout *>(handle); }
inline Operation &operationOf(cublasLtMatmulDesc_t handle) { return *reinterpret_cast<Operation *>(handle); }

} // namespace kernelwright::light
