// Sparse matrices and vectors out of dense ones, and back.
#include <algorithm>

#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

namespace kernelwright::sparse {
namespace {

cudaError_t spread(const char *function, const cusparseSpMatDescr &from, const View &to) {
  std::vector<Entry> entries;
  const cudaError_t error = readEntries(function, from, entries);
  if (error != cudaSuccess) return error;
  Dense numbers = to.room();
  for (const Entry &each : entries)
    to.at(numbers, each.row, each.column) = each.value;
  return blas::write(numbers, to.place());
}

/** What of a dense matrix is not zero, in the order of the sparse format. */
cudaError_t collect(const View &from, bool isByColumns, std::vector<Entry> &entries) {
  Dense numbers = from.room();
  const cudaError_t error = blas::read(numbers, from.place());
  const int64_t lines = isByColumns ? from.columns() : from.rows();
  const int64_t places = isByColumns ? from.rows() : from.columns();
  for (int64_t line = 0; line < lines; ++line) {
    for (int64_t place = 0; place < places; ++place) {
      const int64_t row = isByColumns ? place : line, column = isByColumns ? line : place;
      const double value = from.at(numbers, row, column);
      if (value != 0) entries.push_back({row, column, value});
    }
  }
  return error;
}

struct Collected {
  std::vector<int64_t> major, minor;
  std::vector<double> values;

  Collected(const std::vector<Entry> &entries, bool isByColumns) {
    for (const Entry &each : entries) {
      major.push_back(isByColumns ? each.column : each.row);
      minor.push_back(isByColumns ? each.row : each.column);
      values.push_back(each.value);
    }
  }
};

bool isByColumns(const cusparseSpMatDescr &matrix) { return matrix.format == CUSPARSE_FORMAT_CSC; }

/** Counts the entries and writes where lines begin. */
cudaError_t analyse(const View &from, cusparseSpMatDescr &to) {
  std::vector<Entry> entries;
  const cudaError_t error = collect(from, isByColumns(to), entries);
  if (error != cudaSuccess) return error;
  to.entries = static_cast<int64_t>(entries.size());
  if (to.format == CUSPARSE_FORMAT_COO) return cudaSuccess;
  const Collected found(entries, isByColumns(to));
  return writeIndices(to.major, to.base, offsetsOfRows(found.major, isByColumns(to) ? to.columns : to.rows));
}

cudaError_t convert(const char *function, const View &from, const cusparseSpMatDescr &to) {
  std::vector<Entry> entries;
  cudaError_t error = collect(from, isByColumns(to), entries);
  if (error == cudaSuccess && static_cast<int64_t>(entries.size()) != to.entries)
    return wrongData(function, "the dense matrix has " + std::to_string(entries.size()) +
                                   " numbers that are not zero, and the sparse one " +
                                   std::to_string(to.entries));
  const Collected found(entries, isByColumns(to));
  if (error == cudaSuccess && to.format == CUSPARSE_FORMAT_COO)
    error = writeIndices(to.major, to.base, found.major);
  if (error == cudaSuccess) error = writeIndices(to.minor, to.base, found.minor);
  return error == cudaSuccess ? writeNumbers(to.values, to.type, found.values) : error;
}

cusparseStatus_t judged(const char *function, cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                        cusparseConstDnMatDescr_t dense) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (sparse == nullptr || dense == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (sparse->rows == dense->rows && sparse->columns == dense->columns) return CUSPARSE_STATUS_SUCCESS;
  return invalid(function, "a sparse matrix of " + sizeText(sparse->rows, sparse->columns) +
                               " and a dense one of " + sizeText(dense->rows, dense->columns));
}

struct Counted {
  cusparseDirection_t direction;
  View matrix;
  int *each;
  int *total;
  bool isTotalOnDevice;
};

cudaError_t count(const Counted &counted) {
  std::vector<Entry> entries;
  const cudaError_t error = collect(counted.matrix, false, entries);
  if (error != cudaSuccess) return error;
  const bool isByRows = counted.direction == CUSPARSE_DIRECTION_ROW;
  std::vector<int> found(static_cast<size_t>(isByRows ? counted.matrix.rows() : counted.matrix.columns()));
  for (const Entry &each : entries)
    ++found[static_cast<size_t>(isByRows ? each.row : each.column)];
  const int total = static_cast<int>(entries.size());
  if (!counted.isTotalOnDevice) *counted.total = total;
  const cudaError_t written = writeOperand({reinterpret_cast<char *>(counted.each), 0}, found.data(),
                                           {found.size() * sizeof(int), 1});
  if (written != cudaSuccess || !counted.isTotalOnDevice) return written;
  return writeOperand({reinterpret_cast<char *>(counted.total), 0}, &total, {sizeof total, 1});
}

cusparseStatus_t counted(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                         const void *numbers, int leading, cudaDataType type, int *each, int *total) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || columns < 0 || leading < rows || each == nullptr || total == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const View matrix = {{rows, columns, leading, const_cast<void *>(numbers), type, CUSPARSE_ORDER_COL},
                       false};
  const bool isOnDevice = handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE;
  return inStream(handle, [=] { return count({direction, matrix, each, total, isOnDevice}); });
}

/** The same entries by columns. */
cudaError_t turn(const cusparseSpMatDescr &from, const cusparseSpMatDescr &to, bool takesValues) {
  std::vector<Entry> entries;
  cudaError_t error = readEntries("cusparseCsr2cscEx2", from, entries, takesValues);
  if (error != cudaSuccess) return error;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry &one, const Entry &other) { return one.column < other.column; });
  const Collected found(entries, true);
  error = writeIndices(to.major, to.base, offsetsOfRows(found.major, to.columns));
  if (error == cudaSuccess) error = writeIndices(to.minor, to.base, found.minor);
  return error == cudaSuccess && takesValues ? writeNumbers(to.values, to.type, found.values) : error;
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t,
                                                  size_t *bytes) {
  return sized(judged(__func__, handle, a, b), bytes);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *) {
  const char *function = __func__;
  const cusparseStatus_t status = judged(function, handle, a, b);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [=, from = *a, to = View{*b, false}] { return spread(function, from, to); });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                  size_t *bytes) {
  return sized(judged(__func__, handle, b, a), bytes);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *) {
  const cusparseStatus_t status = judged(__func__, handle, b, a);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [=, from = View{*a, false}] { return analyse(from, *b); });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *) {
  const char *function = __func__;
  const cusparseStatus_t status = judged(function, handle, b, a);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [=, from = View{*a, false}, to = *b] { return convert(function, from, to); });
}

cusparseStatus_t cusparseSnnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                              const cusparseMatDescr_t, const float *numbers, int leading, int *each,
                              int *total) {
  return counted(handle, direction, rows, columns, numbers, leading, CUDA_R_32F, each, total);
}

cusparseStatus_t cusparseDnnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                              const cusparseMatDescr_t, const double *numbers, int leading, int *each,
                              int *total) {
  return counted(handle, direction, rows, columns, numbers, leading, CUDA_R_64F, each, total);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void *,
                                               const int *, const int *, void *, int *, int *, cudaDataType,
                                               cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t *bytes) {
  return sized(handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS, bytes);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int entries,
                                    const void *values, const int *offsets, const int *indices,
                                    void *turnedValues, int *turnedOffsets, int *turnedIndices,
                                    cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t, void *) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || columns < 0 || entries < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (kernelwright::blas::bytesOf(type) == 0 || kernelwright::blas::isComplex(type))
    return unsupported(__func__, "numbers of the type " + std::to_string(type));
  const auto listed = [](const int *at) { return Indices{const_cast<int *>(at), CUSPARSE_INDEX_32I}; };
  const cusparseSpMatDescr from = {
      CUSPARSE_FORMAT_CSR,        rows, columns, entries, listed(offsets), listed(indices), base,
      const_cast<void *>(values), type};
  const cusparseSpMatDescr to = {CUSPARSE_FORMAT_CSC,   rows, columns,      entries, listed(turnedOffsets),
                                 listed(turnedIndices), base, turnedValues, type};
  return inStream(handle, [=] { return turn(from, to, action == CUSPARSE_ACTION_NUMERIC); });
}

} // extern "C"
