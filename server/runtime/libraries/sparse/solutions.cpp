// Solutions of triangular systems with a sparse matrix. Sums are made in double precision and rounded once.
#include <algorithm>

#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

// The analysis prepares nothing: a solution reads the matrix as it is then.
struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

namespace kernelwright::sparse {
namespace {

struct Solution {
  const char *function;
  cusparseSpMatDescr matrix;
  bool isTurned;
  View right;
  View result;
  Factor alpha;
};

/** The triangle of the matrix, or of what it is turned into, by rows. */
struct Triangle {
  bool isLower;
  std::vector<std::vector<Entry>> rows;
  std::vector<double> diagonal;
};

Triangle triangleOf(const Solution &solution, const std::vector<Entry> &entries) {
  const bool isFilledBelow = solution.matrix.fill == CUSPARSE_FILL_MODE_LOWER;
  const bool hasOnes = solution.matrix.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  const size_t size = static_cast<size_t>(solution.matrix.rows);
  Triangle triangle = {isFilledBelow != solution.isTurned, std::vector<std::vector<Entry>>(size),
                       std::vector<double>(size, hasOnes ? 1 : 0)};
  for (const Entry &each : entries) {
    if (each.row == each.column) {
      if (!hasOnes) triangle.diagonal[static_cast<size_t>(each.row)] += each.value;
      continue;
    }
    if ((each.column < each.row) != isFilledBelow) continue;
    const Entry turned = {each.column, each.row, each.value};
    const Entry &seen = solution.isTurned ? turned : each;
    triangle.rows[static_cast<size_t>(seen.row)].push_back(seen);
  }
  return triangle;
}

cudaError_t solve(const Solution &solution) {
  double alpha = 0;
  cudaError_t error = solution.alpha.read(alpha);
  std::vector<Entry> entries;
  if (error == cudaSuccess) error = readEntries(solution.function, solution.matrix, entries);
  Dense right = solution.right.room();
  if (error == cudaSuccess) error = blas::read(right, solution.right.place());
  if (error != cudaSuccess) return error;
  const Triangle triangle = triangleOf(solution, entries);
  Dense found = solution.result.room();
  const int64_t rows = solution.result.rows();
  for (int64_t turn = 0; turn < rows; ++turn) {
    const int64_t row = triangle.isLower ? turn : rows - 1 - turn;
    for (int64_t column = 0; column < solution.result.columns(); ++column) {
      double rest = alpha * solution.right.at(right, row, column);
      for (const Entry &each : triangle.rows[static_cast<size_t>(row)])
        rest -= each.value * solution.result.at(found, each.column, column);
      solution.result.at(found, row, column) = rest / triangle.diagonal[static_cast<size_t>(row)];
    }
  }
  return blas::write(found, solution.result.place());
}

/** What a call is given, before it is judged. */
struct Triangular {
  cusparseHandle_t handle;
  cusparseConstSpMatDescr_t matrix;
  cusparseOperation_t operation;
  const void *alpha;
  cudaDataType type;
};

cusparseStatus_t judged(const char *function, const Triangular &wanted, const View &right,
                        const View &result) {
  const cusparseSpMatDescr &matrix = *wanted.matrix;
  if (wanted.type != CUDA_R_32F && wanted.type != CUDA_R_64F)
    return unsupported(function, "solutions of the type " + std::to_string(wanted.type));
  if (matrix.rows == matrix.columns && right.rows() == matrix.rows && result.rows() == matrix.rows &&
      result.columns() == right.columns())
    return CUSPARSE_STATUS_SUCCESS;
  return invalid(function, "a matrix of " + sizeText(matrix.rows, matrix.columns) + " for " +
                               sizeText(right.rows(), right.columns()) + " into " +
                               sizeText(result.rows(), result.columns()));
}

cusparseStatus_t solved(const char *function, const Triangular &wanted, const View &right, const View &result,
                        bool performs) {
  const cusparseStatus_t status = judged(function, wanted, right, result);
  if (status != CUSPARSE_STATUS_SUCCESS || !performs) return status;
  const Solution solution = {function, *wanted.matrix, isTurned(wanted.operation),
                             right,    result,         Factor(wanted.handle, wanted.alpha, wanted.type)};
  return inStream(wanted.handle, [=] { return solve(solution); });
}

cusparseStatus_t forVector(const char *function, const Triangular &wanted, cusparseConstDnVecDescr_t x,
                           cusparseDnVecDescr_t y, bool performs) {
  if (wanted.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (wanted.matrix == nullptr || wanted.alpha == nullptr || x == nullptr || y == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return solved(function, wanted, viewOf(*x), viewOf(*y), performs);
}

cusparseStatus_t forMatrix(const char *function, const Triangular &wanted, cusparseOperation_t opB,
                           cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, bool performs) {
  if (wanted.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (wanted.matrix == nullptr || wanted.alpha == nullptr || b == nullptr || c == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return solved(function, wanted, {*b, isTurned(opB)}, {*c, false}, performs);
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr) {
  if (descr == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseSpSVDescr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType type, cusparseSpSVAlg_t, cusparseSpSVDescr_t,
                                         size_t *bytes) {
  return sized(forVector(__func__, {handle, matrix, operation, alpha, type}, x, y, false), bytes);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t operation,
                                       const void *alpha, cusparseConstSpMatDescr_t matrix,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type,
                                       cusparseSpSVAlg_t, cusparseSpSVDescr_t, void *) {
  return forVector(__func__, {handle, matrix, operation, alpha, type}, x, y, false);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                    cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t) {
  return forVector(__func__, {handle, matrix, operation, alpha, type}, x, y, true);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr) {
  if (descr == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseSpSMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t, size_t *bytes) {
  return sized(forMatrix(__func__, {handle, a, opA, alpha, type}, opB, b, c, false), bytes);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t, void *) {
  return forMatrix(__func__, {handle, a, opA, alpha, type}, opB, b, c, false);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t) {
  return forMatrix(__func__, {handle, a, opA, alpha, type}, opB, b, c, true);
}

} // extern "C"
