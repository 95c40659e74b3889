// Rows of entries, as a number for each entry or as where each row begins.
#include "libraries/sparse/entries.hpp"

namespace kernelwright::sparse {
namespace {

int firstOf(cusparseIndexBase_t base) { return base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0; }

Indices of(const int *indices) { return {const_cast<int *>(indices), CUSPARSE_INDEX_32I}; }

cudaError_t written(int *to, const std::vector<int> &values) {
  return writeOperand({reinterpret_cast<char *>(to), 0}, values.data(), {values.size() * sizeof(int), 1});
}

cudaError_t compress(const int *from, int entries, int rows, int *to, cusparseIndexBase_t base) {
  std::vector<int64_t> read;
  const cudaError_t error = readIndices(of(from), entries, base, read);
  if (error != cudaSuccess) return error;
  std::vector<int> offsets(static_cast<size_t>(rows) + 1, firstOf(base));
  for (const int64_t row : read) {
    if (row < 0 || row >= rows) {
      tell("cusparseXcoo2csr: row " + std::to_string(row) + " of " + std::to_string(rows) +
           ", which a GPU need not notice");
      return cudaErrorIllegalAddress;
    }
    ++offsets[static_cast<size_t>(row) + 1];
  }
  for (size_t row = 1; row < offsets.size(); ++row)
    offsets[row] += offsets[row - 1] - firstOf(base);
  return written(to, offsets);
}

cudaError_t expand(const int *from, int entries, int rows, int *to, cusparseIndexBase_t base) {
  std::vector<int64_t> offsets;
  const cudaError_t error = readIndices(of(from), int64_t{rows} + 1, base, offsets);
  if (error != cudaSuccess) return error;
  const std::vector<int64_t> found = rowsOfOffsets(offsets, entries);
  std::vector<int> made;
  for (const int64_t row : found)
    made.push_back(static_cast<int>(row) + firstOf(base));
  return written(to, made);
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int entries, int count,
                                  int *offsets, cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (entries < 0 || count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return inStream(handle, [=] { return compress(rows, entries, count, offsets, base); });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int entries, int count,
                                  int *rows, cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (entries < 0 || count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return inStream(handle, [=] { return expand(offsets, entries, count, rows, base); });
}

} // extern "C"
