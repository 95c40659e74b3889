// Products of a sparse matrix with a vector and with a matrix. Sums are made in double precision, in the
// order of the entries, and rounded once.
#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

namespace kernelwright::sparse {
namespace {

struct Product {
  const char *function;
  cusparseSpMatDescr left;
  bool isTurned;
  View right;
  View result;
  Factor alpha;
  Factor beta;
};

cudaError_t perform(const Product &product) {
  double alpha = 0, beta = 0;
  cudaError_t error = product.alpha.read(alpha);
  if (error == cudaSuccess) error = product.beta.read(beta);
  std::vector<Entry> entries;
  if (error == cudaSuccess) error = readEntries(product.function, product.left, entries);
  Dense right = product.right.room();
  if (error == cudaSuccess) error = blas::read(right, product.right.place());
  Dense before = product.result.room();
  // Without a factor what is there does not count, be it no number at all.
  if (error == cudaSuccess && beta != 0) error = blas::read(before, product.result.place());
  if (error != cudaSuccess) return error;
  Dense sums = product.result.room();
  const int64_t columns = product.result.columns();
  for (const Entry &each : entries) {
    const int64_t row = product.isTurned ? each.column : each.row;
    const int64_t inner = product.isTurned ? each.row : each.column;
    for (int64_t column = 0; column < columns; ++column)
      product.result.at(sums, row, column) += each.value * product.right.at(right, inner, column);
  }
  for (size_t index = 0; index < sums.values.size(); ++index)
    sums.values[index] = alpha * sums.values[index] + (beta == 0 ? 0 : beta * before.values[index]);
  return blas::write(sums, product.result.place());
}

cusparseStatus_t misfit(const char *function, const cusparseSpMatDescr &left, bool isTurned,
                        const View &right, const View &result) {
  const int64_t rows = isTurned ? left.columns : left.rows;
  const int64_t inner = isTurned ? left.rows : left.columns;
  if (right.rows() == inner && result.rows() == rows && result.columns() == right.columns())
    return CUSPARSE_STATUS_SUCCESS;
  return invalid(function, "a product of " + sizeText(rows, inner) + " and " +
                               sizeText(right.rows(), right.columns()) + " into " +
                               sizeText(result.rows(), result.columns()));
}

/** What a call of the library is given, before it is judged. */
struct Wanted {
  cusparseHandle_t handle;
  cusparseConstSpMatDescr_t left;
  cusparseOperation_t operation;
  const void *alpha;
  const void *beta;
  cudaDataType type;
};

cusparseStatus_t judged(const char *function, const Wanted &wanted, const View &right, const View &result) {
  if (wanted.type != CUDA_R_32F && wanted.type != CUDA_R_64F)
    return unsupported(function, "sums of the type " + std::to_string(wanted.type));
  return misfit(function, *wanted.left, isTurned(wanted.operation), right, result);
}

bool isWhole(const Wanted &wanted) {
  return wanted.left != nullptr && wanted.alpha != nullptr && wanted.beta != nullptr;
}

/** What the two sides of a product are, and with `performs` does it. */
cusparseStatus_t multiply(const char *function, const Wanted &wanted, const View &right, const View &result,
                          bool performs) {
  const cusparseStatus_t status = judged(function, wanted, right, result);
  if (status != CUSPARSE_STATUS_SUCCESS || !performs) return status;
  const Product product = {function,
                           *wanted.left,
                           isTurned(wanted.operation),
                           right,
                           result,
                           Factor(wanted.handle, wanted.alpha, wanted.type),
                           Factor(wanted.handle, wanted.beta, wanted.type)};
  return inStream(wanted.handle, [=] { return perform(product); });
}

cusparseStatus_t withVector(const char *function, const Wanted &wanted, cusparseConstDnVecDescr_t x,
                            cusparseDnVecDescr_t y, bool performs) {
  if (wanted.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isWhole(wanted) || x == nullptr || y == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return multiply(function, wanted, viewOf(*x), viewOf(*y), performs);
}

cusparseStatus_t withMatrix(const char *function, const Wanted &wanted, cusparseOperation_t opB,
                            cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, bool performs) {
  if (wanted.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isWhole(wanted) || b == nullptr || c == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return multiply(function, wanted, {*b, isTurned(opB)}, {*c, false}, performs);
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t,
                                         size_t *bytes) {
  return sized(withVector(__func__, {handle, matrix, operation, alpha, beta, type}, x, y, false), bytes);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t,
                                         void *) {
  return withVector(__func__, {handle, matrix, operation, alpha, beta, type}, x, y, false);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                              cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t, void *) {
  return withVector(__func__, {handle, matrix, operation, alpha, beta, type}, x, y, true);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t, size_t *bytes) {
  return sized(withMatrix(__func__, {handle, a, opA, alpha, beta, type}, opB, b, c, false), bytes);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t, void *) {
  return withMatrix(__func__, {handle, a, opA, alpha, beta, type}, opB, b, c, false);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t,
                              void *) {
  return withMatrix(__func__, {handle, a, opA, alpha, beta, type}, opB, b, c, true);
}

} // extern "C"
