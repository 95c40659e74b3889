// The entries of a sparse matrix, read from device memory.
#pragma once

#include <vector>

#include "libraries/sparse/descriptors.hpp"

namespace kernelwright::sparse {

struct Entry {
  int64_t row;
  int64_t column;
  double value;
};

/** All indices of a list, counted from 0. */
cudaError_t readIndices(const Indices &indices, int64_t count, cusparseIndexBase_t base,
                        std::vector<int64_t> &to);

/** The row of each entry, by where each row begins. Empty when the rows do not lie one behind the other. */
std::vector<int64_t> rowsOfOffsets(const std::vector<int64_t> &offsets, int64_t entries);

/** The entries in the matrix's own order, with zeros where the values are not wanted. Tells the user of
 * places outside of the matrix. */
cudaError_t readEntries(const char *function, const cusparseSpMatDescr &matrix, std::vector<Entry> &entries,
                        bool hasValues = true);

/** Where each row begins, of entries that are sorted by rows: one offset more than there are rows. */
std::vector<int64_t> offsetsOfRows(const std::vector<int64_t> &rows, int64_t count);

/** Writes indices that are counted from 0. */
cudaError_t writeIndices(const Indices &indices, cusparseIndexBase_t base, const std::vector<int64_t> &from);

/** Numbers of a type in device memory. */
cudaError_t readNumbers(const void *at, cudaDataType type, std::vector<double> &to);
/** Writes numbers, rounded to the type. */
cudaError_t writeNumbers(void *at, cudaDataType type, const std::vector<double> &from);

/** Tells the user what data of a call are wrong. */
cudaError_t wrongData(const char *function, const std::string &what);

} // namespace kernelwright::sparse
