// Whole matrices besides plain products: BLAS, level 3, and the sums and scalings that cuBLAS adds.
#include <cublas_v2.h>

#include "libraries/blas/kernel.hpp"
#include "libraries/blas/matrix-work.hpp"

namespace kernelwright::blas {
namespace {

template <typename T> View<T> viewOf(const Matrix<T> &matrix) {
  return {matrix.values.data(), 1, matrix.rows};
}

template <typename T> Matrix<T> productOf(const Matrix<T> &a, const Matrix<T> &b) {
  Matrix<T> sums(a.rows, b.columns);
  addProduct(viewOf(a), viewOf(b), {a.rows, b.columns, a.columns}, sums.values.data());
  return sums;
}

/** C = alpha P + beta C, where `product` gives P. */
template <typename T, typename Work>
cublasStatus_t update(cublasHandle_t handle, Scalar<T> alpha, Scalar<T> beta, Matrix<T> into, Place c,
                      Work product) {
  return inStream(handle, [=]() mutable {
    T factor = {};
    T kept = {};
    Matrix<T> sums = into;
    cudaError_t error = alpha.read(factor);
    if (error == cudaSuccess) error = beta.read(kept);
    if (error == cudaSuccess) error = product(sums);
    if (error == cudaSuccess) error = read(into, c);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < into.columns; ++column) {
      for (size_t row = 0; row < into.rows; ++row) {
        const T value = factor * sums.at(row, column);
        T &target = into.at(row, column);
        target = kept == T(0) ? value : value + kept * target;
      }
    }
    return write(into, c);
  });
}

/** A product with itself turned around changes one half of the result. */
template <typename T>
cublasStatus_t square(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op, Scalar<T> alpha,
                      Scalar<T> beta, Matrix<T> factor, Place a, Place c) {
  return inStream(handle, [=]() mutable {
    T by = {};
    T kept = {};
    cudaError_t error = alpha.read(by);
    if (error == cudaSuccess) error = beta.read(kept);
    if (error == cudaSuccess) error = read(factor, a);
    if (error != cudaSuccess) return error;
    const Matrix<T> left = op == CUBLAS_OP_N ? factor : applied(factor, CUBLAS_OP_T);
    const Matrix<T> sums = productOf(left, applied(left, CUBLAS_OP_T));
    Matrix<T> into(sums.rows, sums.columns);
    error = read(into, c);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < into.columns; ++column) {
      const size_t first = half == CUBLAS_FILL_MODE_LOWER ? column : 0;
      const size_t end = half == CUBLAS_FILL_MODE_LOWER ? into.rows : column + 1;
      for (size_t row = first; row < end; ++row) {
        const T value = by * sums.at(row, column);
        into.at(row, column) = kept == T(0) ? value : value + kept * into.at(row, column);
      }
    }
    return write(into, c);
  });
}

struct Triangle {
  cublasSideMode_t side;
  cublasFillMode_t half;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
};

template <typename T> cudaError_t readTriangle(const Triangle &what, const Place &a, Matrix<T> &triangle) {
  Matrix<T> matrix = triangle;
  const cudaError_t error = read(matrix, a);
  keepTriangle(matrix, what.half, what.diagonal);
  triangle = applied(matrix, what.op);
  return error;
}

/** Solves for X in op(A) X = alpha B, or X op(A) = alpha B, and puts it in the place of B. */
template <typename T>
cudaError_t solveTriangle(const Triangle &what, T alpha, Matrix<T> right, const Place &a, const Place &b) {
  const bool left = what.side == CUBLAS_SIDE_LEFT;
  const size_t size = left ? right.rows : right.columns;
  Matrix<T> triangle(size, size);
  cudaError_t error = readTriangle(what, a, triangle);
  if (error == cudaSuccess) error = read(right, b);
  if (error != cudaSuccess) return error;
  for (T &value : right.values)
    value *= alpha;
  const bool lower = isLower(what.half, what.op);
  if (left) {
    solve(triangle, lower, right);
    return write(right, b);
  }
  // X A = B is solved as the transposed A' X' = B'.
  Matrix<T> turned = applied(right, CUBLAS_OP_T);
  solve(applied(triangle, CUBLAS_OP_T), !lower, turned);
  return write(applied(turned, CUBLAS_OP_T), b);
}

template <typename T>
cublasStatus_t solveEach(cublasHandle_t handle, Triangle what, const T *alpha, Matrix<T> shape, Place a,
                         Place b, int count) {
  const Scalar<T> scalar(handle, alpha);
  return inStream(handle, [=] {
    T factor = {};
    cudaError_t error = scalar.read(factor);
    if (count < 0) return error == cudaSuccess ? solveTriangle(what, factor, shape, a, b) : error;
    std::vector<void *> left(sizeOf(count));
    std::vector<void *> right(sizeOf(count));
    const Extent extent = {left.size() * sizeof(void *), 1};
    if (error == cudaSuccess)
      error = readOperand(left.data(), {static_cast<char *>(const_cast<void *>(a.address)), 0}, extent);
    if (error == cudaSuccess)
      error = readOperand(right.data(), {static_cast<char *>(const_cast<void *>(b.address)), 0}, extent);
    for (size_t index = 0; error == cudaSuccess && index < left.size(); ++index)
      error = solveTriangle(what, factor, shape, {left[index], a.type, a.leading},
                            {right[index], b.type, b.leading});
    return error;
  });
}

template <typename T>
cublasStatus_t multiplyTriangle(cublasHandle_t handle, Triangle what, const T *alpha, Matrix<T> other,
                                Place a, Place b, Place c) {
  const Scalar<T> scalar(handle, alpha);
  return inStream(handle, [=]() mutable {
    const bool left = what.side == CUBLAS_SIDE_LEFT;
    const size_t size = left ? other.rows : other.columns;
    Matrix<T> triangle(size, size);
    T factor = {};
    cudaError_t error = scalar.read(factor);
    if (error == cudaSuccess) error = readTriangle(what, a, triangle);
    if (error == cudaSuccess) error = read(other, b);
    if (error != cudaSuccess) return error;
    Matrix<T> sums = left ? productOf(triangle, other) : productOf(other, triangle);
    for (T &value : sums.values)
      value *= factor;
    return write(sums, c);
  });
}

/** One side of a sum: nothing is read where the factor is 0. */
template <typename T>
cudaError_t addScaled(Matrix<T> &sums, const Scalar<T> &scalar, cublasOperation_t op, const Place &place) {
  T factor = {};
  cudaError_t error = scalar.read(factor);
  if (error != cudaSuccess || factor == T(0)) return error;
  Matrix<T> matrix(op == CUBLAS_OP_N ? sums.rows : sums.columns,
                   op == CUBLAS_OP_N ? sums.columns : sums.rows);
  error = read(matrix, place);
  const Matrix<T> turned = applied(matrix, op);
  for (size_t index = 0; index < sums.values.size(); ++index)
    sums.values[index] += factor * turned.values[index];
  return error;
}

template <typename T>
cublasStatus_t scaleSide(cublasHandle_t handle, cublasSideMode_t side, Matrix<T> matrix, Place a, Strided x,
                         Place c) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return inStream(handle, [=]() mutable {
    std::vector<T> factors(side == CUBLAS_SIDE_LEFT ? matrix.rows : matrix.columns);
    cudaError_t error = read(matrix, a);
    if (error == cudaSuccess) error = read(factors, x);
    if (error != cudaSuccess) return error;
    for (size_t column = 0; column < matrix.columns; ++column) {
      for (size_t row = 0; row < matrix.rows; ++row)
        matrix.at(row, column) *= factors[side == CUBLAS_SIDE_LEFT ? row : column];
    }
    return write(matrix, c);
  });
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright::blas;

extern "C" {

#define MATRICES(X, T)                                                                                       \
  cublasStatus_t cublas##X##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    int n, int k, const T *alpha, const T *A, int lda, const T *beta, T *C,  \
                                    int ldc) {                                                               \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    const bool turned = trans != CUBLAS_OP_N;                                                                \
    return square<Number<T>>(handle, uplo, trans, {handle, numbers(alpha)}, {handle, numbers(beta)},         \
                             Matrix<Number<T>>(sizeOf(turned ? k : n), sizeOf(turned ? n : k)),              \
                             columns(A, lda), columns(C, ldc));                                              \
  }                                                                                                          \
  cublasStatus_t cublas##X##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    int m, int n, const T *alpha, const T *A, int lda, const T *B, int ldb,  \
                                    const T *beta, T *C, int ldc) {                                          \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    const auto product = [=](Matrix<Number<T>> &sums) {                                                      \
      const size_t size = side == CUBLAS_SIDE_LEFT ? sums.rows : sums.columns;                               \
      Matrix<Number<T>> symmetric(size, size);                                                               \
      Matrix<Number<T>> other(sums.rows, sums.columns);                                                      \
      cudaError_t error = read(symmetric, columns(A, lda));                                                  \
      if (error == cudaSuccess) error = read(other, columns(B, ldb));                                        \
      mirror(symmetric, uplo);                                                                               \
      sums = side == CUBLAS_SIDE_LEFT ? productOf(symmetric, other) : productOf(other, symmetric);           \
      return error;                                                                                          \
    };                                                                                                       \
    return update<Number<T>>(handle, {handle, numbers(alpha)}, {handle, numbers(beta)},                      \
                             Matrix<Number<T>>(sizeOf(m), sizeOf(n)), columns(C, ldc), product);             \
  }                                                                                                          \
  cublasStatus_t cublas##X##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,            \
                                    const T *alpha, const T *A, int lda, T *B, int ldb) {                    \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return solveEach<Number<T>>(handle, {side, uplo, trans, diag}, numbers(alpha),                           \
                                Matrix<Number<T>>(sizeOf(m), sizeOf(n)), columns(A, lda), columns(B, ldb),   \
                                -1);                                                                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                        cublasOperation_t trans, cublasDiagType_t diag, int m, int n,        \
                                        const T *alpha, const T *const A[], int lda, T *const B[], int ldb,  \
                                        int batchCount) {                                                    \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    if (batchCount < 0) return invalid(__func__, "a batch of " + std::to_string(batchCount));                \
    constexpr cudaDataType type = typeOf<Number<T>>();                                                       \
    return solveEach<Number<T>>(handle, {side, uplo, trans, diag}, numbers(alpha),                           \
                                Matrix<Number<T>>(sizeOf(m), sizeOf(n)), {A, type, lda}, {B, type, ldb},     \
                                batchCount);                                                                 \
  }                                                                                                          \
  cublasStatus_t cublas##X##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,            \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, T *C,          \
                                    int ldc) {                                                               \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return multiplyTriangle<Number<T>>(handle, {side, uplo, trans, diag}, numbers(alpha),                    \
                                       Matrix<Number<T>>(sizeOf(m), sizeOf(n)), columns(A, lda),             \
                                       columns(B, ldb), columns(C, ldc));                                    \
  }                                                                                                          \
  cublasStatus_t cublas##X##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, const T *alpha, const T *A, int lda, const T *beta,           \
                                 const T *B, int ldb, T *C, int ldc) {                                       \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    const Scalar<Number<T>> first(handle, numbers(alpha));                                                   \
    const Scalar<Number<T>> second(handle, numbers(beta));                                                   \
    return inStream(handle, [=] {                                                                            \
      Matrix<Number<T>> sums(sizeOf(m), sizeOf(n));                                                          \
      cudaError_t error = addScaled(sums, first, transa, columns(A, lda));                                   \
      if (error == cudaSuccess) error = addScaled(sums, second, transb, columns(B, ldb));                    \
      return error == cudaSuccess ? write(sums, columns(C, ldc)) : error;                                    \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, const T *A,     \
                                 int lda, const T *x, int incx, T *C, int ldc) {                             \
    return scaleSide(handle, mode, Matrix<Number<T>>(sizeOf(m), sizeOf(n)), columns(A, lda), steps(x, incx), \
                     columns(C, ldc));                                                                       \
  }
MATRICES(S, float)
MATRICES(D, double)
MATRICES(C, cuComplex)
MATRICES(Z, cuDoubleComplex)

} // extern "C"
