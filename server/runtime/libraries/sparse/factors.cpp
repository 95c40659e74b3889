// Incomplete factors of a matrix of rows, in its own pattern: LU and Cholesky without further entries. Sums
// are made in double precision and rounded once.
#include <cmath>
#include <map>

#include "libraries/sparse/entries.hpp"
#include "libraries/sparse/operands.hpp"

struct csrilu02Info {
  /** The first row whose pivot is missing or zero; -1 for none. */
  int pivot = -1;
};
struct csric02Info {
  int pivot = -1;
};

namespace kernelwright::sparse {
namespace {

/** A square matrix of rows, given by its lists. */
struct Lists {
  cusparseHandle_t handle;
  int size;
  int entries;
  cusparseMatDescr_t description;
  void *values;
  const int *offsets;
  const int *columns;
  cudaDataType type;

  cusparseSpMatDescr matrix() const {
    return {CUSPARSE_FORMAT_CSR,
            size,
            size,
            entries,
            {const_cast<int *>(offsets), CUSPARSE_INDEX_32I},
            {const_cast<int *>(columns), CUSPARSE_INDEX_32I},
            description->base,
            values,
            type};
  }
};

cusparseStatus_t judged(const Lists &lists, const void *info) {
  if (lists.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const bool isWhole = lists.description != nullptr && lists.offsets != nullptr && lists.columns != nullptr;
  return isWhole && info != nullptr && lists.size >= 0 && lists.entries >= 0 ? CUSPARSE_STATUS_SUCCESS
                                                                             : CUSPARSE_STATUS_INVALID_VALUE;
}

/** Rows of a matrix with the place of each entry in its lists, by columns. */
class Pattern {
public:
  Pattern(int64_t size, const std::vector<Entry> &entries)
      : values(entries.size()), rows_(static_cast<size_t>(size)) {
    for (size_t index = 0; index < entries.size(); ++index) {
      values[index] = entries[index].value;
      rows_[static_cast<size_t>(entries[index].row)].emplace(entries[index].column, index);
    }
  }
  const std::map<int64_t, size_t> &row(int64_t number) const { return rows_[static_cast<size_t>(number)]; }
  /** Null where the pattern has no entry. */
  double *find(int64_t row, int64_t column) {
    const auto found = this->row(row).find(column);
    return found == this->row(row).end() ? nullptr : &values[found->second];
  }

  /** In the order of the lists. */
  std::vector<double> values;

private:
  std::vector<std::map<int64_t, size_t>> rows_;
};

/** Gaussian elimination row by row. Gives the first row without a pivot, or -1. */
int eliminate(Pattern &pattern, int size) {
  int missing = -1;
  for (int row = 0; row < size; ++row) {
    for (const auto &[column, place] : pattern.row(row)) {
      if (column >= row) break;
      const double *pivot = pattern.find(column, column);
      if (pivot == nullptr) continue;
      const double factor = pattern.values[place] /= *pivot;
      for (const auto &[further, source] : pattern.row(column)) {
        double *target = further > column ? pattern.find(row, further) : nullptr;
        if (target != nullptr) *target -= factor * pattern.values[source];
      }
    }
    const double *pivot = pattern.find(row, row);
    if (missing < 0 && (pivot == nullptr || *pivot == 0)) missing = row;
  }
  return missing;
}

/** Cholesky factor of the lower triangle, row by row. Gives the first row without a pivot, or -1. */
int takeRoots(Pattern &pattern, int size) {
  int missing = -1;
  for (int row = 0; row < size; ++row) {
    for (const auto &[column, place] : pattern.row(row)) {
      if (column > row) break;
      double rest = pattern.values[place];
      for (const auto &[inner, source] : pattern.row(row)) {
        if (inner >= column) break;
        const double *other = pattern.find(column, inner);
        if (other != nullptr) rest -= pattern.values[source] * *other;
      }
      const double *pivot = pattern.find(column, column);
      if (column < row && pivot != nullptr) pattern.values[place] = rest / *pivot;
      if (column == row) pattern.values[place] = std::sqrt(rest);
    }
    const double *pivot = pattern.find(row, row);
    if (missing < 0 && (pivot == nullptr || !(*pivot > 0))) missing = row;
  }
  return missing;
}

template <typename Info, typename Work>
cusparseStatus_t factored(const char *function, const Lists &lists, Info *info, Work work) {
  const cusparseStatus_t status = judged(lists, info);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const cusparseSpMatDescr matrix = lists.matrix();
  return inStream(lists.handle, [=] {
    std::vector<Entry> entries;
    const cudaError_t error = readEntries(function, matrix, entries);
    if (error != cudaSuccess) return error;
    Pattern pattern(matrix.rows, entries);
    const int missing = work(pattern, static_cast<int>(matrix.rows));
    info->pivot = missing < 0 ? -1 : missing + (matrix.base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0);
    return writeNumbers(matrix.values, matrix.type, pattern.values);
  });
}

cusparseStatus_t pivotTold(cusparseHandle_t handle, int pivot, int *position) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (position == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_HOST)
    *position = pivot;
  else if (writeOperand({reinterpret_cast<char *>(position), 0}, &pivot, {sizeof pivot, 1}) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  return pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <typename Info> cusparseStatus_t infoMade(Info **info) {
  if (info == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new Info;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Info> cusparseStatus_t infoDestroyed(Info *info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}

/** The work is done on the host, yet a buffer of no bytes counts as none. */
template <typename Bytes> cusparseStatus_t sizedAs(cusparseStatus_t status, Bytes *bytes) {
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 4;
  return status;
}

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

/** The calls of one kind of factor for numbers of one type. */
#define KW_FACTOR(Prefix, Kind, Work, T, Type)                                                               \
  cusparseStatus_t cusparse##Prefix##Kind##_bufferSize(                                                      \
      cusparseHandle_t handle, int size, int entries, const cusparseMatDescr_t description, T *values,       \
      const int *offsets, const int *columns, Kind##Info_t info, int *bytes) {                               \
    return sizedAs(judged({handle, size, entries, description, values, offsets, columns, Type}, info),       \
                   bytes);                                                                                   \
  }                                                                                                          \
  cusparseStatus_t cusparse##Prefix##Kind##_bufferSizeExt(                                                   \
      cusparseHandle_t handle, int size, int entries, const cusparseMatDescr_t description, T *values,       \
      const int *offsets, const int *columns, Kind##Info_t info, size_t *bytes) {                            \
    return sizedAs(judged({handle, size, entries, description, values, offsets, columns, Type}, info),       \
                   bytes);                                                                                   \
  }                                                                                                          \
  cusparseStatus_t cusparse##Prefix##Kind##_analysis(                                                        \
      cusparseHandle_t handle, int size, int entries, const cusparseMatDescr_t description, const T *values, \
      const int *offsets, const int *columns, Kind##Info_t info, cusparseSolvePolicy_t, void *) {            \
    return judged({handle, size, entries, description, const_cast<T *>(values), offsets, columns, Type},     \
                  info);                                                                                     \
  }                                                                                                          \
  cusparseStatus_t cusparse##Prefix##Kind(                                                                   \
      cusparseHandle_t handle, int size, int entries, const cusparseMatDescr_t description, T *values,       \
      const int *offsets, const int *columns, Kind##Info_t info, cusparseSolvePolicy_t, void *) {            \
    return factored(__func__, {handle, size, entries, description, values, offsets, columns, Type}, info,    \
                    Work);                                                                                   \
  }

extern "C" {

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) { return infoMade(info); }
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) { return infoDestroyed(info); }
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position) {
  return info == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : pivotTold(handle, info->pivot, position);
}
KW_FACTOR(S, csrilu02, eliminate, float, CUDA_R_32F)
KW_FACTOR(D, csrilu02, eliminate, double, CUDA_R_64F)

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info) { return infoMade(info); }
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) { return infoDestroyed(info); }
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position) {
  return info == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : pivotTold(handle, info->pivot, position);
}
KW_FACTOR(S, csric02, takeRoots, float, CUDA_R_32F)
KW_FACTOR(D, csric02, takeRoots, double, CUDA_R_64F)

} // extern "C"
