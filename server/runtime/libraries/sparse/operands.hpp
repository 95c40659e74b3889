// What products and solutions of cuSPARSE are given: factors, dense matrices and vectors.
#pragma once

#include <string>
#include <utility>

#include "libraries/blas/matrices.hpp"
#include "libraries/sparse/descriptors.hpp"

namespace kernelwright::sparse {

using Dense = blas::Matrix<double>;

inline bool isTurned(cusparseOperation_t operation) { return operation != CUSPARSE_OPERATION_NON_TRANSPOSE; }

/** A number that the program gives by its address: on the host it is read at the call, on the device when the
 * work is done. */
class Factor {
public:
  Factor(cusparseHandle_t handle, const void *address, cudaDataType type)
      : address_(address), type_(type), onDevice_(handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE) {
    if (!onDevice_) blas::widen(static_cast<const char *>(address), type, 1, &value_);
  }
  cudaError_t read(double &value) const {
    value = value_;
    if (!onDevice_) return cudaSuccess;
    char bytes[sizeof(double)];
    char *address = static_cast<char *>(const_cast<void *>(address_));
    const cudaError_t error = readOperand(bytes, {address, 0}, {blas::bytesOf(type_), 1});
    if (error == cudaSuccess) blas::widen(bytes, type_, 1, &value);
    return error;
  }

private:
  const void *address_;
  cudaDataType type_;
  bool onDevice_;
  double value_ = 0;
};

/** A dense matrix as the call sees it: with its rows one behind the other, or its columns, and perhaps
 * transposed. */
struct View {
  cusparseDnMatDescr matrix;
  bool isTurned;

  int64_t rows() const { return isTurned ? matrix.columns : matrix.rows; }
  int64_t columns() const { return isTurned ? matrix.rows : matrix.columns; }
  bool isByRows() const { return matrix.order == CUSPARSE_ORDER_ROW; }
  blas::Place place() const { return {matrix.values, matrix.type, matrix.leading}; }
  /** Room for the numbers as they lie in memory. */
  Dense room() const {
    const auto [inner, outer] =
        isByRows() ? std::pair(matrix.columns, matrix.rows) : std::pair(matrix.rows, matrix.columns);
    return Dense(static_cast<size_t>(inner), static_cast<size_t>(outer));
  }
  /** The number at a row and a column of what the call sees. */
  double &at(Dense &numbers, int64_t row, int64_t column) const {
    const bool isSwapped = isByRows() != isTurned;
    return isSwapped ? numbers.at(static_cast<size_t>(column), static_cast<size_t>(row))
                     : numbers.at(static_cast<size_t>(row), static_cast<size_t>(column));
  }
};

/** A vector as a matrix of one column. */
inline View viewOf(const cusparseDnVecDescr &vector) {
  return {{vector.size, 1, vector.size, vector.values, vector.type, CUSPARSE_ORDER_COL}, false};
}

inline std::string sizeText(int64_t rows, int64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

/** The work is done on the host: a call needs no buffer. */
inline cusparseStatus_t sized(cusparseStatus_t status, size_t *bytes) {
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 0;
  return status;
}

} // namespace kernelwright::sparse
