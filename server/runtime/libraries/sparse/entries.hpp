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

/** The entries in the matrix's own order. Tells the user of places outside of the matrix. */
cudaError_t readEntries(const char *function, const cusparseSpMatDescr &matrix, std::vector<Entry> &entries);

} // namespace kernelwright::sparse
