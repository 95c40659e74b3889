// Batches of matrices, each of which a table in device memory points to.
#pragma once

#include "libraries/blas/matrix-work.hpp"

namespace kernelwright::blas {

/** A table of pointers in device memory, and what each points to. */
struct Table {
  const void *address;
  cudaDataType type;
  long long leading;
};

/** Matrices of one shape that follow each other in memory are one wide matrix: one transfer for all of them.
 */
inline bool areSideBySide(const std::vector<char *> &places, const Table &table, size_t width) {
  const size_t bytes = static_cast<size_t>(table.leading) * width * bytesOf(table.type);
  for (size_t index = 1; index < places.size(); ++index) {
    if (places[index] != places[0] + index * bytes) return false;
  }
  return !places.empty();
}

inline cudaError_t readPlaces(std::vector<char *> &places, const Table &table) {
  char *start = static_cast<char *>(const_cast<void *>(table.address));
  return readOperand(places.data(), {start, 0}, {places.size() * sizeof(char *), 1});
}

/** The matrices of a batch, one beside the other. `width`: columns of each. */
template <typename T>
cudaError_t read(Matrix<T> &all, size_t width, const std::vector<char *> &places, const Table &table) {
  if (areSideBySide(places, table, width)) return read(all, {places[0], table.type, table.leading});
  Matrix<T> one(all.rows, width);
  for (size_t index = 0; index < places.size(); ++index) {
    const cudaError_t error = read(one, {places[index], table.type, table.leading});
    if (error != cudaSuccess) return error;
    std::copy(one.values.begin(), one.values.end(), &all.values[index * one.values.size()]);
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t write(const Matrix<T> &all, size_t width, const std::vector<char *> &places, const Table &table) {
  // What lies between the columns is not written, so that one transfer does for all.
  if (areSideBySide(places, table, width)) return write(all, {places[0], table.type, table.leading});
  Matrix<T> one(all.rows, width);
  for (size_t index = 0; index < places.size(); ++index) {
    std::copy_n(&all.values[index * one.values.size()], one.values.size(), one.values.begin());
    const cudaError_t error = write(one, {places[index], table.type, table.leading});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

} // namespace kernelwright::blas
