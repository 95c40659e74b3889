// What the functions on vectors and triangles share.
#pragma once

#include <algorithm>

#include "libraries/blas/handle.hpp"
#include "libraries/blas/matrices.hpp"

namespace kernelwright::blas {

template <typename T> struct NumberOf {
  using Type = T;
};
template <> struct NumberOf<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct NumberOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
/** The type that the host computes with in place of CUDA's. */
template <typename T> using Number = typename NumberOf<T>::Type;

template <typename T> const Number<T> *numbers(const T *from) {
  return reinterpret_cast<const Number<T> *>(from);
}

template <typename T> Place columns(const T *address, int leading) {
  return {address, typeOf<Number<T>>(), leading};
}

template <typename T> Strided steps(const T *address, int step) {
  return {address, typeOf<Number<T>>(), step};
}

inline size_t sizeOf(int count) { return static_cast<size_t>(std::max(count, 0)); }

/** op(A) of a matrix that has been read. */
template <typename T> Matrix<T> applied(const Matrix<T> &matrix, cublasOperation_t op) {
  if (op == CUBLAS_OP_N) return matrix;
  Matrix<T> turned(matrix.columns, matrix.rows);
  for (size_t column = 0; column < matrix.columns; ++column) {
    for (size_t row = 0; row < matrix.rows; ++row) {
      const T value = matrix.at(row, column);
      turned.at(column, row) = op == CUBLAS_OP_C ? conjugate(value) : value;
    }
  }
  return turned;
}

/** A triangle: the other half is not looked at (0), nor the diagonal of one of ones. */
template <typename T> void keepTriangle(Matrix<T> &matrix, cublasFillMode_t half, cublasDiagType_t diagonal) {
  for (size_t column = 0; column < matrix.columns; ++column) {
    for (size_t row = 0; row < matrix.rows; ++row) {
      const bool outside = half == CUBLAS_FILL_MODE_LOWER ? row < column : row > column;
      if (outside) matrix.at(row, column) = T(0);
      if (row == column && diagonal == CUBLAS_DIAG_UNIT) matrix.at(row, column) = T(1);
    }
  }
}

/** Fills the other half of a symmetric matrix. */
template <typename T> void mirror(Matrix<T> &matrix, cublasFillMode_t half) {
  for (size_t column = 0; column < matrix.columns; ++column) {
    for (size_t row = 0; row < column; ++row) {
      if (half == CUBLAS_FILL_MODE_LOWER)
        matrix.at(row, column) = matrix.at(column, row);
      else
        matrix.at(column, row) = matrix.at(row, column);
    }
  }
}

/** Solves op(A) X = B in place: `triangle` is op(A) already. */
template <typename T> void solve(const Matrix<T> &triangle, bool lower, Matrix<T> &right) {
  const size_t size = triangle.rows;
  for (size_t column = 0; column < right.columns; ++column) {
    for (size_t step = 0; step < size; ++step) {
      const size_t row = lower ? step : size - 1 - step;
      const T value = right.at(row, column) /= triangle.at(row, row);
      const size_t first = lower ? row + 1 : 0;
      const size_t end = lower ? size : row;
      for (size_t other = first; other < end; ++other)
        right.at(other, column) -= value * triangle.at(other, row);
    }
  }
}

/** Whether op(A) is a lower triangle. */
inline bool isLower(cublasFillMode_t half, cublasOperation_t op) {
  return (half == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
}

} // namespace kernelwright::blas
