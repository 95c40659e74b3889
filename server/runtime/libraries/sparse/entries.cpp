#include "libraries/sparse/entries.hpp"

#include "libraries/blas/numbers.hpp"

namespace kernelwright::sparse {
namespace {

template <typename T>
cudaError_t readAs(const Indices &indices, cusparseIndexBase_t base, std::vector<int64_t> &to) {
  std::vector<T> read(to.size());
  const Extent extent = {read.size() * sizeof(T), 1};
  const cudaError_t error = readOperand(read.data(), {static_cast<char *>(indices.at), 0}, extent);
  for (size_t index = 0; index < read.size(); ++index)
    to[index] = static_cast<int64_t>(read[index]) - (base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0);
  return error;
}

template <typename T>
cudaError_t writeAs(const Indices &indices, cusparseIndexBase_t base, const std::vector<int64_t> &from) {
  std::vector<T> written(from.size());
  for (size_t index = 0; index < from.size(); ++index)
    written[index] = static_cast<T>(from[index] + (base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0));
  return writeOperand({static_cast<char *>(indices.at), 0}, written.data(), {written.size() * sizeof(T), 1});
}

} // namespace

cudaError_t readIndices(const Indices &indices, int64_t count, cusparseIndexBase_t base,
                        std::vector<int64_t> &to) {
  to.resize(static_cast<size_t>(count));
  return indices.type == CUSPARSE_INDEX_64I ? readAs<int64_t>(indices, base, to)
                                            : readAs<int32_t>(indices, base, to);
}

cudaError_t writeIndices(const Indices &indices, cusparseIndexBase_t base, const std::vector<int64_t> &from) {
  return indices.type == CUSPARSE_INDEX_64I ? writeAs<int64_t>(indices, base, from)
                                            : writeAs<int32_t>(indices, base, from);
}

cudaError_t readNumbers(const void *at, cudaDataType type, std::vector<double> &to) {
  std::vector<char> bytes(to.size() * blas::bytesOf(type));
  char *from = static_cast<char *>(const_cast<void *>(at));
  const cudaError_t error = readOperand(bytes.data(), {from, 0}, {bytes.size(), 1});
  if (error == cudaSuccess) blas::widen(bytes.data(), type, to.size(), to.data());
  return error;
}

cudaError_t writeNumbers(void *at, cudaDataType type, const std::vector<double> &from) {
  std::vector<char> bytes(from.size() * blas::bytesOf(type));
  blas::narrow(from.data(), type, from.size(), bytes.data());
  return writeOperand({static_cast<char *>(at), 0}, bytes.data(), {bytes.size(), 1});
}

cudaError_t wrongData(const char *function, const std::string &what) {
  tell(std::string(function) + ": " + what + ", which a GPU need not notice");
  return cudaErrorIllegalAddress;
}

std::vector<int64_t> offsetsOfRows(const std::vector<int64_t> &rows, int64_t count) {
  std::vector<int64_t> offsets(static_cast<size_t>(count) + 1);
  for (const int64_t row : rows)
    ++offsets[static_cast<size_t>(row) + 1];
  for (size_t row = 1; row < offsets.size(); ++row)
    offsets[row] += offsets[row - 1];
  return offsets;
}

std::vector<int64_t> rowsOfOffsets(const std::vector<int64_t> &offsets, int64_t entries) {
  std::vector<int64_t> rows;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row] != static_cast<int64_t>(rows.size()) || offsets[row + 1] < offsets[row] ||
        offsets[row + 1] > entries)
      return {};
    rows.resize(static_cast<size_t>(offsets[row + 1]), static_cast<int64_t>(row));
  }
  return rows;
}

cudaError_t readEntries(const char *function, const cusparseSpMatDescr &matrix, std::vector<Entry> &entries,
                        bool hasValues) {
  if (matrix.entries == 0) return cudaSuccess;
  const bool isList = matrix.format == CUSPARSE_FORMAT_COO;
  const bool isTurned = matrix.format == CUSPARSE_FORMAT_CSC;
  const int64_t lines = isTurned ? matrix.columns : matrix.rows;
  std::vector<int64_t> major, minor;
  std::vector<double> values(static_cast<size_t>(matrix.entries));
  cudaError_t error = readIndices(matrix.major, isList ? matrix.entries : lines + 1, matrix.base, major);
  if (error == cudaSuccess) error = readIndices(matrix.minor, matrix.entries, matrix.base, minor);
  if (error == cudaSuccess && hasValues) error = readNumbers(matrix.values, matrix.type, values);
  if (error != cudaSuccess) return error;
  if (!isList) major = rowsOfOffsets(major, matrix.entries);
  if (static_cast<int64_t>(major.size()) != matrix.entries)
    return wrongData(function, "the offsets do not rise from the index base to the number of entries");
  entries.reserve(values.size());
  for (size_t index = 0; index < values.size(); ++index) {
    const int64_t row = isTurned ? minor[index] : major[index];
    const int64_t column = isTurned ? major[index] : minor[index];
    if (row < 0 || row >= matrix.rows || column < 0 || column >= matrix.columns)
      return wrongData(function, "entry " + std::to_string(index) + " lies at row " + std::to_string(row) +
                                     " and column " + std::to_string(column) + " of a matrix of " +
                                     std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns));
    entries.push_back({row, column, values[index]});
  }
  return cudaSuccess;
}

} // namespace kernelwright::sparse
