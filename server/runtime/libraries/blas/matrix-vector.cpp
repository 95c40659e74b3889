// A matrix and vectors: BLAS, level 2.
#include <cublas_v2.h>

#include "libraries/blas/kernel.hpp"
#include "libraries/blas/matrix-work.hpp"

namespace kernelwright::blas {
namespace {

/** y = alpha op(A) x + beta y; `steps`: from one product of a batch to the next. */
template <typename T> struct Product {
  cublasOperation_t op;
  size_t rows;
  size_t columns;
  Scalar<T> alpha;
  Scalar<T> beta;
};

template <typename T>
cudaError_t apply(const Product<T> &what, const Place &matrix, const Strided &x, const Strided &y) {
  const bool turned = what.op != CUBLAS_OP_N;
  T alpha = {};
  T beta = {};
  cudaError_t error = what.alpha.read(alpha);
  if (error == cudaSuccess) error = what.beta.read(beta);
  if (error != cudaSuccess) return error;
  std::vector<T> sums(turned ? what.columns : what.rows);
  std::vector<T> vector(turned ? what.rows : what.columns);
  if (alpha != T(0)) {
    Matrix<T> a(what.rows, what.columns);
    error = read(a, matrix);
    if (error == cudaSuccess) error = read(vector, x);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < a.columns; ++column) {
      for (size_t row = 0; row < a.rows; ++row) {
        const T value = a.at(row, column);
        if (turned)
          sums[column] += (what.op == CUBLAS_OP_C ? conjugate(value) : value) * vector[row];
        else
          sums[row] += value * vector[column];
      }
    }
  }
  std::vector<T> before(sums.size());
  if (beta != T(0)) error = read(before, y);
  if (error != cudaSuccess) return error;
  for (size_t index = 0; index < sums.size(); ++index)
    sums[index] = beta == T(0) ? alpha * sums[index] : alpha * sums[index] + beta * before[index];
  return write(sums, y);
}

struct Batch {
  long long matrix;
  long long x;
  long long y;
  int count;
};

template <typename T>
cublasStatus_t product(cublasHandle_t handle, const Product<T> &what, Place a, Strided x, Strided y,
                       Batch batch) {
  return inStream(handle, [=] {
    for (long long index = 0; index < batch.count; ++index) {
      const Place left = {x.address, x.type, 1};
      const Place right = {y.address, y.type, 1};
      const cudaError_t error = apply(what, a.shifted(index * batch.matrix),
                                      {left.shifted(index * batch.x).address, x.type, x.step},
                                      {right.shifted(index * batch.y).address, y.type, y.step});
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

template <typename T>
cublasStatus_t productOfEach(cublasHandle_t handle, const Product<T> &what, Place a, Strided x, Strided y,
                             int count) {
  return inStream(handle, [=] {
    const Place *places[] = {&a};
    std::vector<void *> pointers[3];
    const void *arrays[] = {places[0]->address, x.address, y.address};
    for (int which = 0; which < 3; ++which) {
      pointers[which].resize(sizeOf(count));
      char *from = static_cast<char *>(const_cast<void *>(arrays[which]));
      const cudaError_t error =
          readOperand(pointers[which].data(), {from, 0}, {sizeOf(count) * sizeof(void *), 1});
      if (error != cudaSuccess) return error;
    }
    for (size_t index = 0; index < sizeOf(count); ++index) {
      const cudaError_t error =
          apply(what, {pointers[0][index], a.type, a.leading}, {pointers[1][index], x.type, x.step},
                {pointers[2][index], y.type, y.step});
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

template <typename T>
cublasStatus_t addOuter(cublasHandle_t handle, const T *alpha, Strided x, Strided y, Matrix<T> matrix,
                        Place a, bool conjugates) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Scalar<T> scalar(handle, alpha);
  return inStream(handle, [=]() mutable {
    std::vector<T> left(matrix.rows);
    std::vector<T> right(matrix.columns);
    T factor = {};
    cudaError_t error = scalar.read(factor);
    if (error == cudaSuccess) error = read(left, x);
    if (error == cudaSuccess) error = read(right, y);
    if (error == cudaSuccess) error = read(matrix, a);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < matrix.columns; ++column) {
      const T by = factor * (conjugates ? conjugate(right[column]) : right[column]);
      for (size_t row = 0; row < matrix.rows; ++row)
        matrix.at(row, column) += left[row] * by;
    }
    return write(matrix, a);
  });
}

template <typename T>
cublasStatus_t symmetricProduct(cublasHandle_t handle, cublasFillMode_t half, size_t size, Scalar<T> alpha,
                                Place a, Strided x, Scalar<T> beta, Strided y) {
  return inStream(handle, [=] {
    Matrix<T> matrix(size, size);
    std::vector<T> vector(size);
    std::vector<T> sums(size);
    T factor = {};
    T kept = {};
    cudaError_t error = alpha.read(factor);
    if (error == cudaSuccess) error = beta.read(kept);
    if (error == cudaSuccess) error = read(matrix, a);
    if (error == cudaSuccess) error = read(vector, x);
    if (error == cudaSuccess && kept != T(0)) error = read(sums, y);
    if (error != cudaSuccess) return error;
    mirror(matrix, half);
    for (size_t row = 0; row < size; ++row) {
      T sum = {};
      for (size_t column = 0; column < size; ++column)
        sum += matrix.at(row, column) * vector[column];
      sums[row] = kept == T(0) ? factor * sum : factor * sum + kept * sums[row];
    }
    return write(sums, y);
  });
}

template <typename T>
cublasStatus_t addSquare(cublasHandle_t handle, cublasFillMode_t half, size_t size, Scalar<T> alpha,
                         Strided x, Place a) {
  return inStream(handle, [=] {
    Matrix<T> matrix(size, size);
    std::vector<T> vector(size);
    T factor = {};
    cudaError_t error = alpha.read(factor);
    if (error == cudaSuccess) error = read(matrix, a);
    if (error == cudaSuccess) error = read(vector, x);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < size; ++column) {
      const size_t first = half == CUBLAS_FILL_MODE_LOWER ? column : 0;
      const size_t end = half == CUBLAS_FILL_MODE_LOWER ? size : column + 1;
      for (size_t row = first; row < end; ++row)
        matrix.at(row, column) += factor * vector[row] * vector[column];
    }
    return write(matrix, a);
  });
}

/** x = op(A) x, or the x of op(A) x = b, of a triangle. */
struct SquareTriangle {
  cublasFillMode_t half;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
  bool solves;
};

template <typename T>
cublasStatus_t triangular(cublasHandle_t handle, SquareTriangle what, size_t size, Place a, Strided x) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return inStream(handle, [=] {
    Matrix<T> matrix(size, size);
    Matrix<T> vector(size, 1);
    cudaError_t error = read(matrix, a);
    if (error == cudaSuccess) error = read(vector.values, x);
    if (error != cudaSuccess) return error;
    keepTriangle(matrix, what.half, what.diagonal);
    const Matrix<T> triangle = applied(matrix, what.op);
    if (what.solves) {
      solve(triangle, isLower(what.half, what.op), vector);
      return write(vector.values, x);
    }
    std::vector<T> sums(size);
    for (size_t column = 0; column < size; ++column) {
      for (size_t row = 0; row < size; ++row)
        sums[row] += triangle.at(row, column) * vector.values[column];
    }
    return write(sums, x);
  });
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright::blas;

extern "C" {

#define MATRIX_VECTOR(X, T)                                                                                  \
  cublasStatus_t cublas##X##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,            \
                                    const T *alpha, const T *A, int lda, const T *x, int incx,               \
                                    const T *beta, T *y, int incy) {                                         \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    if (lda < std::max(1, m))                                                                                \
      return invalid(__func__,                                                                               \
                     "lda is " + std::to_string(lda) + ", but A has " + std::to_string(m) + " rows");        \
    return product<Number<T>>(                                                                               \
        handle, {trans, sizeOf(m), sizeOf(n), {handle, numbers(alpha)}, {handle, numbers(beta)}},            \
        columns(A, lda), steps(x, incx), steps(y, incy), {0, 0, 0, 1});                                      \
  }                                                                                                          \
  cublasStatus_t cublas##X##gemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, \
                                               const T *alpha, const T *A, int lda, long long strideA,       \
                                               const T *x, int incx, long long stridex, const T *beta, T *y, \
                                               int incy, long long stridey, int batchCount) {                \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return product<Number<T>>(                                                                               \
        handle, {trans, sizeOf(m), sizeOf(n), {handle, numbers(alpha)}, {handle, numbers(beta)}},            \
        columns(A, lda), steps(x, incx), steps(y, incy), {strideA, stridex, stridey, batchCount});           \
  }                                                                                                          \
  cublasStatus_t cublas##X##gemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,        \
                                        const T *alpha, const T *const A[], int lda, const T *const x[],     \
                                        int incx, const T *beta, T *const y[], int incy, int batchCount) {   \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    constexpr cudaDataType type = typeOf<Number<T>>();                                                       \
    return productOfEach<Number<T>>(                                                                         \
        handle, {trans, sizeOf(m), sizeOf(n), {handle, numbers(alpha)}, {handle, numbers(beta)}},            \
        {A, type, lda}, {x, type, incx}, {y, type, incy}, batchCount);                                       \
  }                                                                                                          \
  cublasStatus_t cublas##X##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,     \
                                    const T *A, int lda, const T *x, int incx, const T *beta, T *y,          \
                                    int incy) {                                                              \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return symmetricProduct<Number<T>>(handle, uplo, sizeOf(n), {handle, numbers(alpha)}, columns(A, lda),   \
                                       steps(x, incx), {handle, numbers(beta)}, steps(y, incy));             \
  }                                                                                                          \
  cublasStatus_t cublas##X##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,      \
                                   const T *x, int incx, T *A, int lda) {                                    \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return addSquare<Number<T>>(handle, uplo, sizeOf(n), {handle, numbers(alpha)}, steps(x, incx),           \
                                columns(A, lda));                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##X##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    cublasDiagType_t diag, int n, const T *A, int lda, T *x, int incx) {     \
    return triangular<Number<T>>(handle, {uplo, trans, diag, true}, sizeOf(n), columns(A, lda),              \
                                 steps(x, incx));                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##X##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    cublasDiagType_t diag, int n, const T *A, int lda, T *x, int incx) {     \
    return triangular<Number<T>>(handle, {uplo, trans, diag, false}, sizeOf(n), columns(A, lda),             \
                                 steps(x, incx));                                                            \
  }
MATRIX_VECTOR(S, float)
MATRIX_VECTOR(D, double)
MATRIX_VECTOR(C, cuComplex)
MATRIX_VECTOR(Z, cuDoubleComplex)

#define GER(name, T, conjugates)                                                                             \
  cublasStatus_t name(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, \
                      int incy, T *A, int lda) {                                                             \
    return addOuter<Number<T>>(handle, numbers(alpha), steps(x, incx), steps(y, incy),                       \
                               Matrix<Number<T>>(sizeOf(m), sizeOf(n)), columns(A, lda), conjugates);        \
  }
GER(cublasSger, float, false)
GER(cublasDger, double, false)
GER(cublasCgeru, cuComplex, false)
GER(cublasCgerc, cuComplex, true)
GER(cublasZgeru, cuDoubleComplex, false)
GER(cublasZgerc, cuDoubleComplex, true)

} // extern "C"
