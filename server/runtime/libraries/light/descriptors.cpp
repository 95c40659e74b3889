// Handles and descriptors of cuBLASLt.
#include "libraries/light/descriptors.hpp"

#include <cstddef>
#include <cstring>

namespace kernelwright::light {
namespace {

/** Where a descriptor keeps an attribute. */
struct Field {
  int attribute;
  size_t offset;
  size_t bytes;
};

#define FIELD(attribute, Struct, field) {attribute, offsetof(Struct, field), sizeof(Struct::field)}

constexpr Field kLayoutFields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, Layout, leading),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batches),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, batchStride),
};

constexpr Field kOperationFields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Operation, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Operation, scaleType),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, Operation, pointerMode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, Operation, opA),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, Operation, opB),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, Operation, opC),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, Operation, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, Operation, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Operation, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Operation, biasStride),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Operation, biasType),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Operation, auxiliary),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Operation, auxiliaryLeading),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Operation, auxiliaryStride),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Operation, auxiliaryType),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Operation, scales[0]),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Operation, scales[1]),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Operation, scales[2]),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Operation, scales[3]),
    FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Operation, largest),
    FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Operation, multiprocessors),
    FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Operation, fastSums),
};

template <size_t kCount> const Field *fieldOf(const Field (&fields)[kCount], int attribute) {
  for (const Field &field : fields) {
    if (field.attribute == attribute) return &field;
  }
  return nullptr;
}

template <size_t kCount>
cublasStatus_t set(const Field (&fields)[kCount], int attribute, void *into, const void *value,
                   size_t bytes) {
  const Field *field = fieldOf(fields, attribute);
  if (into == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (field == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (bytes != field->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<char *>(into) + field->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <size_t kCount>
cublasStatus_t get(const Field (&fields)[kCount], int attribute, const void *from, void *value,
                   size_t bytes) {
  const Field *field = fieldOf(fields, attribute);
  if (from == nullptr || field == nullptr || bytes < field->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, static_cast<const char *>(from) + field->offset, field->bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <size_t kCount> size_t bytesOf(const Field (&fields)[kCount], int attribute) {
  const Field *field = fieldOf(fields, attribute);
  return field == nullptr ? 0 : field->bytes;
}

} // namespace
} // namespace kernelwright::light

using namespace kernelwright::light;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = reinterpret_cast<cublasLtHandle_t>(new char);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<char *>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t handle, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  if (handle == nullptr || size < sizeof(Layout)) return CUBLAS_STATUS_INVALID_VALUE;
  layoutOf(handle) = {static_cast<uint32_t>(type), CUBLASLT_ORDER_COL, rows, columns, leading, 0, 1};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *handle, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  *handle = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit_internal(*handle, sizeof **handle, type, rows, columns, leading);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void *value,
                                                size_t bytes) {
  return set(kLayoutFields, attribute, handle, value, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute, void *value,
                                                size_t bytes, size_t *written) {
  if (written != nullptr) *written = bytesOf(kLayoutFields, attribute);
  return bytes == 0 ? CUBLAS_STATUS_SUCCESS : get(kLayoutFields, attribute, handle, value, bytes);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t handle, size_t size,
                                               cublasComputeType_t compute, cudaDataType_t scaleType) {
  if (handle == nullptr || size < sizeof(Operation)) return CUBLAS_STATUS_INVALID_VALUE;
  Operation operation = {};
  operation.compute = compute;
  operation.scaleType = scaleType;
  operation.fill = CUBLAS_FILL_MODE_FULL;
  operation.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  // The type of the output (cuBLAS documentation, cublasLtMatmulDescAttributes_t).
  operation.biasType = operation.auxiliaryType = -1;
  operationOf(handle) = operation;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *handle, cublasComputeType_t compute,
                                        cudaDataType_t scaleType) {
  *handle = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit_internal(*handle, sizeof **handle, compute, scaleType);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute, const void *value,
                                              size_t bytes) {
  return set(kOperationFields, attribute, handle, value, bytes);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute, void *value,
                                              size_t bytes, size_t *written) {
  if (written != nullptr) *written = bytesOf(kOperationFields, attribute);
  return bytes == 0 ? CUBLAS_STATUS_SUCCESS : get(kOperationFields, attribute, handle, value, bytes);
}

// What a program prefers changes nothing: there is one algorithm, which needs no workspace.
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t handle, size_t size) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(handle, 0, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *handle) {
  *handle = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t, const void *value,
                                                    size_t) {
  return handle == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

} // extern "C"
