// Work on vectors of any real type: the calls of level 1 that end in Ex.
#include <cublas_v2.h>

#include "libraries/blas/multiply.hpp"

namespace kernelwright::blas {
namespace {

struct Vector {
  const void *address;
  cudaDataType type;
  int step;

  Strided place() const { return {address, type, step}; }
};

cublasStatus_t problemWith(cublasHandle_t handle, const char *function,
                           std::initializer_list<cudaDataType> types) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  for (const cudaDataType type : types) {
    if (bytesOf(type) == 0 || isComplex(type))
      return unsupported(function, "numbers of the type " + std::to_string(type));
  }
  return CUBLAS_STATUS_SUCCESS;
}

std::vector<double> room(int count) { return std::vector<double>(static_cast<size_t>(std::max(count, 0))); }

cudaError_t giveNumber(bool onDevice, void *address, cudaDataType type, double value) {
  char bytes[16];
  narrow(&value, type, 1, bytes);
  if (onDevice) return writeOperand({static_cast<char *>(address), 0}, bytes, {bytesOf(type), 1});
  std::memcpy(address, bytes, bytesOf(type));
  return cudaSuccess;
}

cublasStatus_t dot(cublasHandle_t handle, int count, Vector x, Vector y, void *result, cudaDataType type) {
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return inStream(handle, [=] {
    std::vector<double> left = room(count);
    std::vector<double> right = room(count);
    cudaError_t error = read(left, x.place());
    if (error == cudaSuccess) error = read(right, y.place());
    if (error != cudaSuccess) return error;
    double sum = 0;
    for (size_t index = 0; index < left.size(); ++index)
      sum += left[index] * right[index];
    return giveNumber(onDevice, result, type, sum);
  });
}

/** y = alpha x + beta y, rounded to the type of y once. */
cublasStatus_t combine(cublasHandle_t handle, int count, AnyScalar alpha, Vector x, double beta, Vector y) {
  return inStream(handle, [=] {
    std::vector<double> values = room(count);
    std::vector<double> sums = room(count);
    std::complex<double> factor;
    cudaError_t error = alpha.read(factor);
    if (error == cudaSuccess) error = read(values, x.place());
    if (error == cudaSuccess && beta != 0) error = read(sums, y.place());
    if (error != cudaSuccess) return error;
    for (size_t index = 0; index < values.size(); ++index)
      sums[index] += factor.real() * values[index];
    return write(sums, y.place());
  });
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright;
using namespace kernelwright::blas;

extern "C" {

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                            void *result, cudaDataType resultType, cudaDataType) {
  const cublasStatus_t problem = problemWith(handle, __func__, {xType, resultType});
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return inStream(handle, [=] {
    std::vector<double> values = room(n);
    const cudaError_t error = read(values, Strided{x, xType, incx});
    if (error != cudaSuccess) return error;
    double sum = 0;
    for (const double value : values)
      sum += value * value;
    return giveNumber(onDevice, result, resultType, std::sqrt(sum));
  });
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                           const void *y, cudaDataType yType, int incy, void *result, cudaDataType resultType,
                           cudaDataType) {
  const cublasStatus_t problem = problemWith(handle, __func__, {xType, yType, resultType});
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  return dot(handle, n, {x, xType, incx}, {y, yType, incy}, result, resultType);
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType, void *x,
                            cudaDataType xType, int incx, cudaDataType) {
  const cublasStatus_t problem = problemWith(handle, __func__, {alphaType, xType});
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  const AnyScalar factor(alpha, alphaType, handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE);
  return combine(handle, n, factor, {x, xType, incx}, 0, {x, xType, incx});
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            const void *x, cudaDataType xType, int incx, void *y, cudaDataType yType,
                            int incy, cudaDataType) {
  const cublasStatus_t problem = problemWith(handle, __func__, {alphaType, xType, yType});
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  const AnyScalar factor(alpha, alphaType, handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE);
  return combine(handle, n, factor, {x, xType, incx}, 1, {y, yType, incy});
}

} // extern "C"
