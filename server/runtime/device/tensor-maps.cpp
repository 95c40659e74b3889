// Descriptors of tensors for asynchronous copies (TMA). What stands in one is between this file and the
// virtual GPU (core/vgpu/launch/units/tensor-map.ts), as it is between the driver and a GPU.
#include "device/tensor-maps.hpp"

#include <cstring>

#include "device/runtime.hpp"

namespace {

constexpr uint32_t kMark = 0x4d54574b;
constexpr unsigned kMostAxes = 5;

struct TensorMap {
  uint32_t mark;
  uint8_t elementBytes, rank, swizzle, reserved;
  uint64_t address;
  uint32_t last[kMostAxes]; // Elements along an axis, less one.
  uint32_t box[kMostAxes];
  uint64_t strides[kMostAxes - 1];
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

/** Bytes of an element; 0 for a type that no copy here knows. */
unsigned elementBytes(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
    return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 0;
  }
}

CUresult refused(const char *what) {
  kernelwright::tell(std::string("the virtual GPU has no tensor maps with ") + what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                           void *address, const cuuint64_t *dimensions,
                                           const cuuint64_t *strides, const cuuint32_t *box,
                                           const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                           CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                           CUtensorMapFloatOOBfill fill) {
  if (map == nullptr || dimensions == nullptr || box == nullptr || steps == nullptr || rank == 0 ||
      rank > kMostAxes || (rank > 1 && strides == nullptr) || reinterpret_cast<uintptr_t>(map) % 64 != 0 ||
      reinterpret_cast<uintptr_t>(address) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return refused("interleaved layouts");
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return refused("NaN for what is out of bounds");
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return refused("this swizzling");
  const unsigned bytes = elementBytes(type);
  if (bytes == 0) return refused("elements of this type");
  TensorMap made = {
      kMark, uint8_t(bytes), uint8_t(rank), uint8_t(swizzle), 0, reinterpret_cast<uint64_t>(address), {}, {},
      {}};
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (steps[axis] == 0 || steps[axis] > 8) return CUDA_ERROR_INVALID_VALUE;
    if (steps[axis] != 1) return refused("steps of more than one element");
    if (dimensions[axis] == 0 || dimensions[axis] > (uint64_t{1} << 32) || box[axis] == 0 || box[axis] > 256)
      return CUDA_ERROR_INVALID_VALUE;
    made.last[axis] = uint32_t(dimensions[axis] - 1);
    made.box[axis] = box[axis];
    if (axis == 0) continue;
    if (strides[axis - 1] % 16 != 0 || strides[axis - 1] >= (uint64_t{1} << 40))
      return CUDA_ERROR_INVALID_VALUE;
    made.strides[axis - 1] = strides[axis - 1];
  }
  const unsigned inner = box[0] * bytes;
  if (inner % 16 != 0 || (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && inner > (16u << swizzle)))
    return CUDA_ERROR_INVALID_VALUE;
  *map = {};
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}
