// What cuSPARSE's handles and descriptors hold.
#pragma once

#include <cusparse.h>

#include <string>

#include "memory/operands.hpp"

namespace kernelwright::sparse {

/** Indices in device memory. */
struct Indices {
  void *at;
  cusparseIndexType_t type;
};

} // namespace kernelwright::sparse

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointerMode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows;
  int64_t columns;
  int64_t entries;
  /** Where each row begins; columns of CSC; of COO the row of each entry. */
  kernelwright::sparse::Indices major;
  /** The column of each entry; the row, of CSC. */
  kernelwright::sparse::Indices minor;
  cusparseIndexBase_t base;
  void *values;
  cudaDataType type;
  /** The triangle that a solution reads, and whether its diagonal counts as ones. */
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

struct cusparseSpVecDescr {
  int64_t size;
  int64_t entries;
  kernelwright::sparse::Indices indices;
  cusparseIndexBase_t base;
  void *values;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows;
  int64_t columns;
  /** Numbers from one column to the next, or from one row to the next. */
  int64_t leading;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
};

namespace kernelwright::sparse {

/** Tells the user what of a call is wrong. Gives CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t invalid(const char *function, const std::string &what);
/** Tells the user what the virtual GPU's library lacks. Gives CUSPARSE_STATUS_NOT_SUPPORTED. */
cusparseStatus_t unsupported(const char *function, const std::string &what);
/** Does a call's work in the handle's stream. */
cusparseStatus_t inStream(cusparseHandle_t handle, const std::function<cudaError_t()> &work);

} // namespace kernelwright::sparse
