// Copies of vectors and matrices of device memory, as BLAS lays them out.
#pragma once

#include <vector>

#include "libraries/blas/numbers.hpp"
#include "memory/operands.hpp"

namespace kernelwright::blas {

/** Columns of numbers of one type in device memory. */
struct Place {
  const void *address;
  cudaDataType type;
  /** Numbers from one column to the next. */
  long long leading;

  Place shifted(long long numbers) const {
    const long long bytes = numbers * static_cast<long long>(bytesOf(type));
    return {static_cast<const char *>(address) + bytes, type, leading};
  }
};

/** The packed numbers of a matrix. */
template <typename T> struct Matrix {
  size_t rows;
  size_t columns;
  std::vector<T> values;

  Matrix(size_t rowCount, size_t columnCount)
      : rows(rowCount), columns(columnCount), values(rowCount * columnCount) {}
  T &at(size_t row, size_t column) { return values[column * rows + row]; }
  const T &at(size_t row, size_t column) const { return values[column * rows + row]; }
};

/** Whether the host computes with numbers as they lie in memory. */
template <typename T> bool isPlain(cudaDataType type) {
  return (std::is_same_v<T, float> && type == CUDA_R_32F) ||
         (std::is_same_v<T, double> && type == CUDA_R_64F) ||
         (std::is_same_v<T, std::complex<float>> && type == CUDA_C_32F) ||
         (std::is_same_v<T, std::complex<double>> && type == CUDA_C_64F);
}

inline Rows rowsOf(const Place &place) {
  return {static_cast<char *>(const_cast<void *>(place.address)),
          static_cast<size_t>(place.leading) * bytesOf(place.type)};
}

template <typename T> cudaError_t read(Matrix<T> &matrix, const Place &place) {
  const Extent extent = {matrix.rows * bytesOf(place.type), matrix.columns};
  if (isPlain<T>(place.type)) return readOperand(matrix.values.data(), rowsOf(place), extent);
  std::vector<char> bytes(extent.width * extent.height);
  const cudaError_t error = readOperand(bytes.data(), rowsOf(place), extent);
  if (error == cudaSuccess) widen(bytes.data(), place.type, matrix.values.size(), matrix.values.data());
  return error;
}

template <typename T> cudaError_t write(const Matrix<T> &matrix, const Place &place) {
  const Extent extent = {matrix.rows * bytesOf(place.type), matrix.columns};
  if (isPlain<T>(place.type)) return writeOperand(rowsOf(place), matrix.values.data(), extent);
  std::vector<char> bytes(extent.width * extent.height);
  narrow(matrix.values.data(), place.type, matrix.values.size(), bytes.data());
  return writeOperand(rowsOf(place), bytes.data(), extent);
}

/** The type of numbers as they lie in memory. */
template <typename T> constexpr cudaDataType typeOf() {
  if (std::is_same_v<T, float>) return CUDA_R_32F;
  if (std::is_same_v<T, double>) return CUDA_R_64F;
  if (std::is_same_v<T, __half>) return CUDA_R_16F;
  return std::is_same_v<T, std::complex<float>> ? CUDA_C_32F : CUDA_C_64F;
}

/** Numbers that lie some distance apart; a negative one runs backwards from the last (BLAS). */
struct Strided {
  const void *address;
  cudaDataType type;
  long long step;

  Place place() const { return {address, type, step < 0 ? -step : step}; }
};

template <typename T> void reverse(std::vector<T> &values) {
  for (size_t index = 0; index < values.size() / 2; ++index)
    std::swap(values[index], values[values.size() - 1 - index]);
}

/** A vector as a matrix of one row, so that its numbers may lie apart; of one column where they do not. */
template <typename T> cudaError_t read(std::vector<T> &values, const Strided &place) {
  if (values.empty()) return cudaSuccess;
  const bool dense = place.step == 1 || place.step == -1;
  Matrix<T> row(dense ? values.size() : 1, dense ? 1 : values.size());
  // A step of 0 repeats one number.
  const bool single = place.step == 0;
  if (single) row = Matrix<T>(1, 1);
  const cudaError_t error = read(row, place.place());
  if (error != cudaSuccess) return error;
  if (single)
    values.assign(values.size(), row.values[0]);
  else
    values.swap(row.values);
  if (place.step < 0) reverse(values);
  return cudaSuccess;
}

template <typename T> cudaError_t write(std::vector<T> values, const Strided &place) {
  if (values.empty()) return cudaSuccess;
  if (place.step < 0) reverse(values);
  const bool dense = place.step == 1 || place.step == -1;
  Matrix<T> row(dense ? values.size() : 1, dense ? 1 : values.size());
  if (place.step == 0) row = Matrix<T>(1, 1);
  std::copy_n(values.end() - static_cast<std::ptrdiff_t>(row.values.size()), row.values.size(),
              row.values.begin());
  return write(row, place.place());
}

} // namespace kernelwright::blas
