// Copies of vectors and matrices between host and device.
#include <cublas_v2.h>

#include <algorithm>

#include "libraries/blas/handle.hpp"

namespace kernelwright::blas {
namespace {

/** Vectors and matrices are columns of numbers at a distance. */
struct Layout {
  int rows;
  int columns;
  int numberBytes;
};

cublasStatus_t copyColumns(const char *function, Layout layout, const void *from, int fromLeading, void *to,
                           int toLeading, cudaMemcpyKind kind) {
  if (layout.rows < 0 || layout.columns < 0 || layout.numberBytes <= 0)
    return invalid(function, "a size that is not positive");
  if (std::min(fromLeading, toLeading) < std::max(1, layout.rows))
    return invalid(function, "a leading dimension of " + std::to_string(std::min(fromLeading, toLeading)) +
                                 " for " + std::to_string(layout.rows) + " rows");
  const size_t bytes = static_cast<size_t>(layout.numberBytes);
  const Rows target = {static_cast<char *>(to), static_cast<size_t>(toLeading) * bytes};
  const Rows source = {static_cast<char *>(const_cast<void *>(from)),
                       static_cast<size_t>(fromLeading) * bytes};
  const Extent extent = {static_cast<size_t>(layout.rows) * bytes, static_cast<size_t>(layout.columns)};
  return copy(target, source, extent, kind) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                           : CUBLAS_STATUS_MAPPING_ERROR;
}

/** Numbers at a step are columns of one number. */
cublasStatus_t copyNumbers(const char *function, int count, int bytes, const void *from, int fromStep,
                           void *to, int toStep, cudaMemcpyKind kind) {
  if (fromStep <= 0 || toStep <= 0) return invalid(function, "a step that is not positive");
  if (fromStep == 1 && toStep == 1)
    return copyColumns(function, {count, 1, bytes}, from, std::max(1, count), to, std::max(1, count), kind);
  return copyColumns(function, {1, count, bytes}, from, fromStep, to, toStep, kind);
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright::blas;

extern "C" {

cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
  return copyNumbers(__func__, n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
  return copyNumbers(__func__, n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb) {
  return copyColumns(__func__, {rows, cols, elemSize}, A, lda, B, ldb, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb) {
  return copyColumns(__func__, {rows, cols, elemSize}, A, lda, B, ldb, cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t) {
  return cublasSetVector(n, elemSize, x, incx, y, incy);
}

cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t) {
  return cublasGetVector(n, elemSize, x, incx, y, incy);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                                    int ldb, cudaStream_t) {
  return cublasSetMatrix(rows, cols, elemSize, A, lda, B, ldb);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                                    int ldb, cudaStream_t) {
  return cublasGetMatrix(rows, cols, elemSize, A, lda, B, ldb);
}

} // extern "C"
