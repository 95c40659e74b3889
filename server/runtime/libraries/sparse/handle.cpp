// Handles of cuSPARSE, and the names of statuses.
#include "libraries/sparse/descriptors.hpp"

namespace kernelwright::sparse {

cusparseStatus_t invalid(const char *function, const std::string &what) {
  tell(std::string(function) + ": " + what + ": the program gets CUSPARSE_STATUS_INVALID_VALUE");
  return CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t unsupported(const char *function, const std::string &what) {
  tell(std::string(function) + ": the virtual GPU's cuSPARSE has no " + what +
       ": the program gets CUSPARSE_STATUS_NOT_SUPPORTED");
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t inStream(cusparseHandle_t handle, const std::function<cudaError_t()> &work) {
  const cudaError_t error = issueWork(handle->stream, work);
  if (error == cudaSuccess) return CUSPARSE_STATUS_SUCCESS;
  return error == cudaErrorNotSupported ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_EXECUTION_FAILED;
}

namespace {

struct StatusText {
  cusparseStatus_t status;
  const char *name;
  const char *text;
};

#define STATUS(name, text) {CUSPARSE_STATUS_##name, "CUSPARSE_STATUS_" #name, text}
constexpr StatusText kStatuses[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an invalid value was given"),
    STATUS(ARCH_MISMATCH, "the device lacks a feature"),
    STATUS(MAPPING_ERROR, "an access to device memory failed"),
    STATUS(EXECUTION_FAILED, "the work on the device failed"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "this type of matrix is not supported"),
    STATUS(ZERO_PIVOT, "there is a pivot of zero"),
    STATUS(NOT_SUPPORTED, "this is not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "there is not enough memory"),
};
#undef STATUS

const StatusText *find(cusparseStatus_t status) {
  for (const StatusText &each : kStatuses) {
    if (each.status == status) return &each;
  }
  return nullptr;
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSPARSE_STATUS_INVALID_VALUE;
  const int versions[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = versions[type];
  return CUSPARSE_STATUS_SUCCESS;
}

const char *cusparseGetErrorName(cusparseStatus_t status) {
  const StatusText *found = find(status);
  return found == nullptr ? "unrecognized error code" : found->name;
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
  const StatusText *found = find(status);
  return found == nullptr ? "unrecognized error code" : found->text;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->pointerMode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *mode = handle->pointerMode;
  return CUSPARSE_STATUS_SUCCESS;
}

} // extern "C"
