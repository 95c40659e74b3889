// Products whose result is sparse: of two sparse matrices, and of dense ones at the places of a sparse one.
#include <map>

#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

/** What a product of two sparse matrices gave, between its computation and its copy. */
struct cusparseSpGEMMDescr {
  std::vector<int64_t> offsets;
  std::vector<int64_t> columns;
  std::vector<double> values;
  int64_t products = 0;
};

namespace kernelwright::sparse {
namespace {

/** What a call is given, before it is judged. */
struct Combined {
  cusparseHandle_t handle;
  cusparseOperation_t opA;
  cusparseOperation_t opB;
  const void *alpha;
  const void *beta;
  cudaDataType type;
};

cusparseStatus_t judgedType(const char *function, const Combined &wanted) {
  if (wanted.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (wanted.alpha == nullptr || wanted.beta == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (wanted.type == CUDA_R_32F || wanted.type == CUDA_R_64F) return CUSPARSE_STATUS_SUCCESS;
  return unsupported(function, "sums of the type " + std::to_string(wanted.type));
}

cusparseStatus_t judged(const char *function, const Combined &wanted, cusparseConstSpMatDescr_t a,
                        cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c,
                        cusparseSpGEMMDescr_t made) {
  const cusparseStatus_t status = judgedType(function, wanted);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (a == nullptr || b == nullptr || c == nullptr || made == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (isTurned(wanted.opA) || isTurned(wanted.opB)) return unsupported(function, "transposed matrices");
  for (const cusparseConstSpMatDescr_t each : {a, b, c})
    if (each->format != CUSPARSE_FORMAT_CSR) return unsupported(function, "formats but CSR");
  double beta = 0;
  if (Factor(wanted.handle, wanted.beta, wanted.type).read(beta) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  if (beta != 0) return unsupported(function, "factor of the result but 0");
  if (a->columns == b->rows && c->rows == a->rows && c->columns == b->columns) return CUSPARSE_STATUS_SUCCESS;
  return invalid(function, "a product of " + sizeText(a->rows, a->columns) + " and " +
                               sizeText(b->rows, b->columns) + " into " + sizeText(c->rows, c->columns));
}

/** Entries that stand beside each other in their rows. */
std::vector<std::vector<Entry>> byRows(const std::vector<Entry> &entries, int64_t rows) {
  std::vector<std::vector<Entry>> lines(static_cast<size_t>(rows));
  for (const Entry &each : entries)
    lines[static_cast<size_t>(each.row)].push_back(each);
  return lines;
}

cudaError_t compute(const char *function, const cusparseSpMatDescr &a, const cusparseSpMatDescr &b,
                    const Factor &factor, cusparseSpMatDescr &c, cusparseSpGEMMDescr &made) {
  double alpha = 0;
  std::vector<Entry> left, right;
  cudaError_t error = factor.read(alpha);
  if (error == cudaSuccess) error = readEntries(function, a, left);
  if (error == cudaSuccess) error = readEntries(function, b, right);
  if (error != cudaSuccess) return error;
  const auto lines = byRows(right, b.rows);
  made = {};
  made.offsets.push_back(0);
  for (const std::vector<Entry> &line : byRows(left, a.rows)) {
    std::map<int64_t, double> sums;
    for (const Entry &each : line) {
      const std::vector<Entry> &others = lines[static_cast<size_t>(each.column)];
      made.products += static_cast<int64_t>(others.size());
      for (const Entry &other : others)
        sums[other.column] += each.value * other.value;
    }
    for (const auto &[column, sum] : sums) {
      made.columns.push_back(column);
      made.values.push_back(alpha * sum);
    }
    made.offsets.push_back(static_cast<int64_t>(made.columns.size()));
  }
  c.entries = static_cast<int64_t>(made.columns.size());
  return cudaSuccess;
}

cudaError_t copied(const cusparseSpGEMMDescr &made, const cusparseSpMatDescr &to) {
  cudaError_t error = writeIndices(to.major, to.base, made.offsets);
  if (error == cudaSuccess) error = writeIndices(to.minor, to.base, made.columns);
  return error == cudaSuccess ? writeNumbers(to.values, to.type, made.values) : error;
}

/** A call without a buffer asks for the size of one, and no more is done: some bytes tell the two apart. */
bool asksForSize(size_t *bytes, const void *buffer) {
  if (buffer != nullptr) return false;
  *bytes = 4;
  return true;
}

struct Sampled {
  const char *function;
  View left;
  View right;
  cusparseSpMatDescr result;
  Factor alpha;
  Factor beta;
};

cudaError_t sample(const Sampled &sampled) {
  double alpha = 0, beta = 0;
  cudaError_t error = sampled.alpha.read(alpha);
  if (error == cudaSuccess) error = sampled.beta.read(beta);
  std::vector<Entry> entries;
  if (error == cudaSuccess) error = readEntries(sampled.function, sampled.result, entries, beta != 0);
  Dense left = sampled.left.room(), right = sampled.right.room();
  if (error == cudaSuccess) error = blas::read(left, sampled.left.place());
  if (error == cudaSuccess) error = blas::read(right, sampled.right.place());
  if (error != cudaSuccess) return error;
  std::vector<double> values;
  for (const Entry &each : entries) {
    double sum = 0;
    for (int64_t inner = 0; inner < sampled.left.columns(); ++inner)
      sum += sampled.left.at(left, each.row, inner) * sampled.right.at(right, inner, each.column);
    values.push_back(alpha * sum + beta * each.value);
  }
  return writeNumbers(sampled.result.values, sampled.result.type, values);
}

cusparseStatus_t sampled(const char *function, const Combined &wanted, cusparseConstDnMatDescr_t a,
                         cusparseConstDnMatDescr_t b, cusparseSpMatDescr_t c, bool performs) {
  const cusparseStatus_t status = judgedType(function, wanted);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (a == nullptr || b == nullptr || c == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const View left = {*a, isTurned(wanted.opA)}, right = {*b, isTurned(wanted.opB)};
  if (left.columns() != right.rows() || left.rows() != c->rows || right.columns() != c->columns)
    return invalid(function, "a product of " + sizeText(left.rows(), left.columns()) + " and " +
                                 sizeText(right.rows(), right.columns()) + " into " +
                                 sizeText(c->rows, c->columns));
  if (!performs) return status;
  const Sampled work = {function,
                        left,
                        right,
                        *c,
                        Factor(wanted.handle, wanted.alpha, wanted.type),
                        Factor(wanted.handle, wanted.beta, wanted.type)};
  return inStream(wanted.handle, [=] { return sample(work); });
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  if (descr == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseSpGEMMDescr{};
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t made, size_t *bytes,
                                               void *buffer) {
  const cusparseStatus_t status = judged(__func__, {handle, opA, opB, alpha, beta, type}, a, b, c, made);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  asksForSize(bytes, buffer);
  return status;
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t made, int64_t *products) {
  if (made == nullptr || products == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *products = made->products;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t made, size_t *bytes,
                                        void *buffer) {
  const char *function = __func__;
  const cusparseStatus_t status = judged(function, {handle, opA, opB, alpha, beta, type}, a, b, c, made);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (asksForSize(bytes, buffer)) return status;
  const Factor factor(handle, alpha, type);
  return inStream(handle,
                  [=, left = *a, right = *b] { return compute(function, left, right, factor, *c, *made); });
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t made) {
  const cusparseStatus_t status = judged(__func__, {handle, opA, opB, alpha, beta, type}, a, b, c, made);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [=, to = *c] { return copied(*made, to); });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, size_t *bytes) {
  return sized(sampled(__func__, {handle, opA, opB, alpha, beta, type}, a, b, c, false), bytes);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, void *) {
  return sampled(__func__, {handle, opA, opB, alpha, beta, type}, a, b, c, false);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t, void *) {
  return sampled(__func__, {handle, opA, opB, alpha, beta, type}, a, b, c, true);
}

} // extern "C"
