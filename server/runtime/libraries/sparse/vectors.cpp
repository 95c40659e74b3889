// Sparse vectors: gathered, scattered, added, multiplied; and indices that are put in order.
#include <algorithm>
#include <numeric>

#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

namespace kernelwright::sparse {
namespace {

/** The places of a sparse vector's entries. Tells the user of places outside of the vector. */
cudaError_t readPlaces(const char *function, const cusparseSpVecDescr &vector, std::vector<int64_t> &places) {
  const cudaError_t error = readIndices(vector.indices, vector.entries, vector.base, places);
  if (error != cudaSuccess) return error;
  for (const int64_t place : places)
    if (place < 0 || place >= vector.size)
      return wrongData(function, "an entry lies at " + std::to_string(place) + " of a vector of " +
                                     std::to_string(vector.size));
  return cudaSuccess;
}

cudaError_t readAll(const char *function, const cusparseSpVecDescr &sparse, const cusparseDnVecDescr &dense,
                    std::vector<int64_t> &places, std::vector<double> &entries,
                    std::vector<double> &numbers) {
  entries.resize(static_cast<size_t>(sparse.entries));
  numbers.resize(static_cast<size_t>(dense.size));
  cudaError_t error = readPlaces(function, sparse, places);
  if (error == cudaSuccess) error = readNumbers(sparse.values, sparse.type, entries);
  return error == cudaSuccess ? readNumbers(dense.values, dense.type, numbers) : error;
}

cusparseStatus_t judged(const char *function, cusparseHandle_t handle, cusparseConstSpVecDescr_t sparse,
                        cusparseConstDnVecDescr_t dense) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (sparse == nullptr || dense == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (sparse->size == dense->size) return CUSPARSE_STATUS_SUCCESS;
  return invalid(function, "a sparse vector of " + std::to_string(sparse->size) + " and a dense one of " +
                               std::to_string(dense->size));
}

cudaError_t gather(const cusparseSpVecDescr &to, const cusparseDnVecDescr &from) {
  std::vector<int64_t> places;
  cudaError_t error = readPlaces("cusparseGather", to, places);
  std::vector<double> numbers(static_cast<size_t>(from.size)), found;
  if (error == cudaSuccess) error = readNumbers(from.values, from.type, numbers);
  if (error != cudaSuccess) return error;
  for (const int64_t place : places)
    found.push_back(numbers[static_cast<size_t>(place)]);
  return writeNumbers(to.values, to.type, found);
}

/** `update`: the new number, of an entry and of what is there. */
template <typename Update>
cudaError_t scatter(const char *function, const cusparseSpVecDescr &from, const cusparseDnVecDescr &to,
                    double beta, Update update) {
  std::vector<int64_t> places;
  std::vector<double> entries, numbers;
  const cudaError_t error = readAll(function, from, to, places, entries, numbers);
  if (error != cudaSuccess) return error;
  if (beta != 1)
    for (double &each : numbers)
      each = beta == 0 ? 0 : each * beta;
  for (size_t index = 0; index < places.size(); ++index) {
    double &number = numbers[static_cast<size_t>(places[index])];
    number = update(entries[index], number);
  }
  return writeNumbers(to.values, to.type, numbers);
}

/** Puts the indices of each line in order, and a list beside them in the same one. */
cudaError_t order(const char *function, int lines, int entries, const int *offsets, int *indices, int *beside,
                  cusparseIndexBase_t base) {
  const auto listed = [](const int *at) { return Indices{const_cast<int *>(at), CUSPARSE_INDEX_32I}; };
  std::vector<int64_t> begins, places, others;
  cudaError_t error = readIndices(listed(offsets), int64_t{lines} + 1, base, begins);
  if (error == cudaSuccess) error = readIndices(listed(indices), entries, base, places);
  if (error == cudaSuccess && beside != nullptr)
    error = readIndices(listed(beside), entries, CUSPARSE_INDEX_BASE_ZERO, others);
  if (error != cudaSuccess) return error;
  const std::vector<int64_t> rows = rowsOfOffsets(begins, entries);
  if (static_cast<int>(rows.size()) != entries)
    return wrongData(function, "the offsets do not rise from the index base to the number of entries");
  std::vector<size_t> sorted(rows.size());
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](size_t one, size_t other) {
    return std::pair(rows[one], places[one]) < std::pair(rows[other], places[other]);
  });
  const auto inOrder = [&](const std::vector<int64_t> &list) {
    std::vector<int64_t> moved;
    for (const size_t index : sorted)
      moved.push_back(list[index]);
    return moved;
  };
  error = writeIndices(listed(indices), base, inOrder(places));
  if (error != cudaSuccess || beside == nullptr) return error;
  return writeIndices(listed(beside), CUSPARSE_INDEX_BASE_ZERO, inOrder(others));
}

cusparseStatus_t ordered(const char *function, cusparseHandle_t handle, int lines, int entries,
                         const cusparseMatDescr_t description, const int *offsets, int *indices,
                         int *beside) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (lines < 0 || entries < 0 || description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const cusparseIndexBase_t base = description->base;
  return inStream(handle, [=] { return order(function, lines, entries, offsets, indices, beside, base); });
}

cusparseStatus_t unsized(cusparseHandle_t handle, size_t *bytes) {
  return sized(handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS, bytes);
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  const cusparseStatus_t status = judged(__func__, handle, x, y);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [to = *x, from = *y] { return gather(to, from); });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  const cusparseStatus_t status = judged(__func__, handle, x, y);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return inStream(handle, [from = *x, to = *y] {
    return scatter("cusparseScatter", from, to, 1, [](double entry, double) { return entry; });
  });
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y) {
  const cusparseStatus_t status = judged(__func__, handle, x, y);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (alpha == nullptr || beta == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const Factor left(handle, alpha, x->type), right(handle, beta, x->type);
  return inStream(handle, [=, from = *x, to = *y] {
    double a = 0, b = 0;
    cudaError_t error = left.read(a);
    if (error == cudaSuccess) error = right.read(b);
    if (error != cudaSuccess) return error;
    return scatter("cusparseAxpby", from, to, b,
                   [a](double entry, double number) { return number + a * entry; });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *, cudaDataType, size_t *bytes) {
  return sized(judged(__func__, handle, x, y), bytes);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result, cudaDataType type, void *) {
  const cusparseStatus_t status = judged(__func__, handle, x, y);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (result == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const bool isOnDevice = handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE;
  return inStream(handle, [=, from = *x, other = *y] {
    std::vector<int64_t> places;
    std::vector<double> entries, numbers;
    const cudaError_t error = readAll("cusparseSpVV", from, other, places, entries, numbers);
    if (error != cudaSuccess) return error;
    double sum = 0;
    for (size_t index = 0; index < places.size(); ++index)
      sum += entries[index] * numbers[static_cast<size_t>(places[index])];
    if (isOnDevice) return writeNumbers(result, type, {sum});
    kernelwright::blas::narrow(&sum, type, 1, static_cast<char *>(result));
    return cudaSuccess;
  });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *places) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return inStream(handle, [=] {
    std::vector<int64_t> made(static_cast<size_t>(count));
    std::iota(made.begin(), made.end(), int64_t{0});
    return writeIndices({places, CUSPARSE_INDEX_32I}, CUSPARSE_INDEX_BASE_ZERO, made);
  });
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
                                                const int *, size_t *bytes) {
  return unsized(handle, bytes);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int, int entries,
                                  const cusparseMatDescr_t description, const int *offsets, int *columns,
                                  int *places, void *) {
  return ordered(__func__, handle, rows, entries, description, offsets, columns, places);
}

cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
                                                const int *, size_t *bytes) {
  return unsized(handle, bytes);
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int columns, int entries,
                                  const cusparseMatDescr_t description, const int *offsets, int *rows,
                                  int *places, void *) {
  return ordered(__func__, handle, columns, entries, description, offsets, rows, places);
}

} // extern "C"
