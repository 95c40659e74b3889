// Handles of cuBLAS, their settings, and the names of statuses.
#include "libraries/blas/handle.hpp"

#include <cublas_v2.h>

namespace kernelwright::blas {

cublasStatus_t statusOf(cudaError_t error) {
  if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
  if (error == cudaErrorMemoryAllocation) return CUBLAS_STATUS_ALLOC_FAILED;
  return error == cudaErrorNotSupported ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_EXECUTION_FAILED;
}

namespace {

/** The function as the program writes it. */
std::string plainName(const char *function) {
  const std::string name(function);
  const size_t suffix = name.rfind("_v2");
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

} // namespace

cublasStatus_t invalid(const char *function, const std::string &what) {
  tell(plainName(function) + ": " + what + ": the program gets CUBLAS_STATUS_INVALID_VALUE");
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t unsupported(const char *function, const std::string &what) {
  tell(plainName(function) + ": the virtual GPU has no " + what +
       ": the program gets CUBLAS_STATUS_NOT_SUPPORTED");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t inStream(cublasHandle_t handle, const std::function<cudaError_t()> &work) {
  return statusOf(issueWork(handle->stream, work));
}

namespace {

struct StatusText {
  cublasStatus_t status;
  const char *name;
  const char *text;
};

constexpr StatusText kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was given"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to device memory failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the work on the device failed"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "this is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a license is missing"},
};

const StatusText *textOf(cublasStatus_t status) {
  for (const StatusText &each : kStatuses) {
    if (each.status == status) return &each;
  }
  return nullptr;
}

template <typename Value>
cublasStatus_t get(cublasHandle_t handle, Value cublasContext::*field, Value *value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Value>
cublasStatus_t set(cublasHandle_t handle, Value cublasContext::*field, Value value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

cublasLogCallback logCallback = nullptr;

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright;
using namespace kernelwright::blas;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  device();
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  const int versions[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = versions[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

// The work needs no room on the device.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  return get(handle, &cublasContext::stream, stream);
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointerMode, mode);
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
  return get(handle, &cublasContext::pointerMode, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomicsMode, mode);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) {
  return get(handle, &cublasContext::atomicsMode, mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::mathMode, mode);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return get(handle, &cublasContext::mathMode, mode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, &cublasContext::multiprocessorTarget, count);
}

cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count) {
  return get(handle, &cublasContext::multiprocessorTarget, count);
}

// There is no log.
cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  logCallback = callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = logCallback;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusName(cublasStatus_t status) {
  const StatusText *known = textOf(status);
  return known == nullptr ? "unknown status" : known->name;
}

const char *cublasGetStatusString(cublasStatus_t status) {
  const StatusText *known = textOf(status);
  return known == nullptr ? "unknown status" : known->text;
}

} // extern "C"
