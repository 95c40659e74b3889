// Triangular factors of many small matrices, and what is solved and inverted with them.
#include <cublas_v2.h>

#include "libraries/blas/batches/tables.hpp"

namespace kernelwright::blas {
namespace {

/** cuBLAS's own limit for matinvBatched. */
constexpr int kLargestInverted = 32;

/** A square matrix among those of a batch. */
template <typename T> class Square {
public:
  Square(T *values, size_t size) : values_(values), size_(size) {}
  T &at(size_t row, size_t column) { return values_[column * size_ + row]; }
  size_t size() const { return size_; }

private:
  T *values_;
  size_t size_;
};

/** Changes a matrix to its factors L and U. `pivots`: the row that each row is exchanged with, counted from
 * 1; none is exchanged where it is null. Gives the first column without a pivot, from 1; 0 when there is
 * none. */
template <typename T> int factorize(Square<T> matrix, int *pivots) {
  const size_t size = matrix.size();
  int lacking = 0;
  for (size_t step = 0; step < size; ++step) {
    size_t best = step;
    for (size_t row = step + 1; pivots != nullptr && row < size; ++row) {
      if (std::abs(matrix.at(row, step)) > std::abs(matrix.at(best, step))) best = row;
    }
    if (pivots != nullptr) pivots[step] = static_cast<int>(best) + 1;
    if (matrix.at(best, step) == T(0)) {
      if (lacking == 0) lacking = static_cast<int>(step) + 1;
      continue;
    }
    for (size_t column = 0; best != step && column < size; ++column)
      std::swap(matrix.at(step, column), matrix.at(best, column));
    for (size_t row = step + 1; row < size; ++row) {
      const T factor = matrix.at(row, step) /= matrix.at(step, step);
      for (size_t column = step + 1; column < size; ++column)
        matrix.at(row, column) -= factor * matrix.at(step, column);
    }
  }
  return lacking;
}

template <typename T> Matrix<T> copyOf(Square<T> from) {
  Matrix<T> copy(from.size(), from.size());
  for (size_t column = 0; column < from.size(); ++column) {
    for (size_t row = 0; row < from.size(); ++row)
      copy.at(row, column) = from.at(row, column);
  }
  return copy;
}

/** Exchanges the rows as the factors were made, or back again. */
template <typename T> void exchange(Matrix<T> &right, const int *pivots, size_t size, bool back) {
  for (size_t step = 0; pivots != nullptr && step < size; ++step) {
    const size_t row = back ? size - 1 - step : step;
    const size_t other = static_cast<size_t>(pivots[row] - 1);
    for (size_t column = 0; other < size && column < right.columns; ++column)
      std::swap(right.at(row, column), right.at(other, column));
  }
}

/** Solves op(A) X = B in place with the factors of A. */
template <typename T>
void solveFactors(Square<T> factors, cublasOperation_t op, const int *pivots, Matrix<T> &right) {
  Matrix<T> lower = copyOf(factors);
  Matrix<T> upper = lower;
  keepTriangle(lower, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
  keepTriangle(upper, CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
  if (op == CUBLAS_OP_N) {
    exchange(right, pivots, factors.size(), false);
    solve(lower, true, right);
    solve(upper, false, right);
    return;
  }
  solve(applied(upper, op), true, right);
  solve(applied(lower, op), false, right);
  exchange(right, pivots, factors.size(), true);
}

template <typename T> Matrix<T> identity(size_t size) {
  Matrix<T> ones(size, size);
  for (size_t row = 0; row < size; ++row)
    ones.at(row, row) = T(1);
  return ones;
}

/** Whole numbers in device memory, some for each matrix. Nothing where the program gives none. */
cudaError_t readNumbers(std::vector<int> &values, const int *from) {
  if (from == nullptr) return cudaSuccess;
  char *start = reinterpret_cast<char *>(const_cast<int *>(from));
  return readOperand(values.data(), {start, 0}, {values.size() * sizeof(int), 1});
}

cudaError_t writeNumbers(int *to, const std::vector<int> &values) {
  if (to == nullptr) return cudaSuccess;
  return writeOperand({reinterpret_cast<char *>(to), 0}, values.data(), {values.size() * sizeof(int), 1});
}

struct Batch {
  size_t size;
  size_t count;
  const int *pivots;
  int *infos;
};

/** Factors of each matrix in its place. */
template <typename T> cudaError_t factorizeEach(const Batch &batch, Table a) {
  std::vector<char *> places(batch.count);
  Matrix<T> all(batch.size, batch.size * batch.count);
  std::vector<int> pivots(batch.size * batch.count);
  std::vector<int> infos(batch.count);
  cudaError_t error = readPlaces(places, a);
  if (error == cudaSuccess) error = read(all, batch.size, places, a);
  if (error != cudaSuccess) return error;
  for (size_t index = 0; index < batch.count; ++index) {
    int *own = batch.pivots == nullptr ? nullptr : &pivots[index * batch.size];
    infos[index] = factorize(Square<T>(&all.at(0, index * batch.size), batch.size), own);
  }
  error = write(all, batch.size, places, a);
  if (error == cudaSuccess) error = writeNumbers(const_cast<int *>(batch.pivots), pivots);
  return error == cudaSuccess ? writeNumbers(batch.infos, infos) : error;
}

/** The inverse of each matrix: of `a` itself, or of the matrix whose factors are in `a`. */
template <typename T> cudaError_t invertEach(const Batch &batch, Table a, Table inverses, bool areFactors) {
  std::vector<char *> from(batch.count);
  std::vector<char *> to(batch.count);
  Matrix<T> all(batch.size, batch.size * batch.count);
  std::vector<int> pivots(batch.size * batch.count);
  std::vector<int> infos(batch.count);
  cudaError_t error = readPlaces(from, a);
  if (error == cudaSuccess) error = readPlaces(to, inverses);
  if (error == cudaSuccess) error = read(all, batch.size, from, a);
  if (error == cudaSuccess && areFactors) error = readNumbers(pivots, batch.pivots);
  if (error != cudaSuccess) return error;
  for (size_t index = 0; index < batch.count; ++index) {
    const Square<T> matrix(&all.at(0, index * batch.size), batch.size);
    int *own = areFactors && batch.pivots == nullptr ? nullptr : &pivots[index * batch.size];
    if (!areFactors) infos[index] = factorize(matrix, own);
    for (size_t row = 0; areFactors && infos[index] == 0 && row < batch.size; ++row) {
      if (Square<T>(matrix).at(row, row) == T(0)) infos[index] = static_cast<int>(row) + 1;
    }
    if (infos[index] != 0) continue;
    Matrix<T> inverse = identity<T>(batch.size);
    solveFactors(matrix, CUBLAS_OP_N, own, inverse);
    std::copy(inverse.values.begin(), inverse.values.end(), &all.at(0, index * batch.size));
  }
  error = write(all, batch.size, to, inverses);
  return error == cudaSuccess ? writeNumbers(batch.infos, infos) : error;
}

template <typename T>
cudaError_t solveEach(const Batch &batch, cublasOperation_t op, size_t width, Table a, Table b) {
  std::vector<char *> left(batch.count);
  std::vector<char *> right(batch.count);
  Matrix<T> factors(batch.size, batch.size * batch.count);
  Matrix<T> all(batch.size, width * batch.count);
  std::vector<int> pivots(batch.size * batch.count);
  cudaError_t error = readPlaces(left, a);
  if (error == cudaSuccess) error = readPlaces(right, b);
  if (error == cudaSuccess) error = read(factors, batch.size, left, a);
  if (error == cudaSuccess) error = read(all, width, right, b);
  if (error == cudaSuccess) error = readNumbers(pivots, batch.pivots);
  if (error != cudaSuccess) return error;
  Matrix<T> one(batch.size, width);
  for (size_t index = 0; index < batch.count; ++index) {
    T *own = &all.values[index * one.values.size()];
    std::copy_n(own, one.values.size(), one.values.begin());
    const int *rows = batch.pivots == nullptr ? nullptr : &pivots[index * batch.size];
    solveFactors(Square<T>(&factors.at(0, index * batch.size), batch.size), op, rows, one);
    std::copy(one.values.begin(), one.values.end(), own);
  }
  return write(all, width, right, b);
}

/** What is wrong with the shape of a batch; success when nothing is. */
cublasStatus_t judge(const char *function, cublasHandle_t handle, int n, int count, int leading) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0) return invalid(function, "matrices of " + std::to_string(n) + " rows");
  if (count < 0) return invalid(function, "a batch of " + std::to_string(count));
  if (leading < std::max(n, 1))
    return invalid(function, "the leading dimension is " + std::to_string(leading) + ", but there are " +
                                 std::to_string(n) + " rows");
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright::blas;

extern "C" {

#define FACTORS(X, T)                                                                                        \
  cublasStatus_t cublas##X##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *pivots,   \
                                         int *infos, int batchSize) {                                        \
    const cublasStatus_t wrong = judge(__func__, handle, n, batchSize, lda);                                 \
    if (wrong != CUBLAS_STATUS_SUCCESS || n == 0 || batchSize == 0) return wrong;                            \
    const Batch batch = {sizeOf(n), sizeOf(batchSize), pivots, infos};                                       \
    const Table table = {A, typeOf<Number<T>>(), lda};                                                       \
    return inStream(handle, [=] { return factorizeEach<Number<T>>(batch, table); });                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,          \
                                         const int *pivots, T *const C[], int ldc, int *infos,               \
                                         int batchSize) {                                                    \
    const cublasStatus_t wrong = judge(__func__, handle, n, batchSize, std::min(lda, ldc));                  \
    if (wrong != CUBLAS_STATUS_SUCCESS || n == 0 || batchSize == 0) return wrong;                            \
    const Batch batch = {sizeOf(n), sizeOf(batchSize), pivots, infos};                                       \
    const Table from = {A, typeOf<Number<T>>(), lda};                                                        \
    const Table to = {C, typeOf<Number<T>>(), ldc};                                                          \
    return inStream(handle, [=] { return invertEach<Number<T>>(batch, from, to, true); });                   \
  }                                                                                                          \
  cublasStatus_t cublas##X##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda,         \
                                          T *const C[], int ldc, int *infos, int batchSize) {                \
    const cublasStatus_t wrong = judge(__func__, handle, n, batchSize, std::min(lda, ldc));                  \
    if (wrong != CUBLAS_STATUS_SUCCESS || n == 0 || batchSize == 0) return wrong;                            \
    if (n > kLargestInverted)                                                                                \
      return invalid(__func__, "matrices of " + std::to_string(n) + " rows, where 32 are the most");         \
    const Batch batch = {sizeOf(n), sizeOf(batchSize), nullptr, infos};                                      \
    const Table from = {A, typeOf<Number<T>>(), lda};                                                        \
    const Table to = {C, typeOf<Number<T>>(), ldc};                                                          \
    return inStream(handle, [=] { return invertEach<Number<T>>(batch, from, to, false); });                  \
  }                                                                                                          \
  cublasStatus_t cublas##X##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,    \
                                         const T *const A[], int lda, const int *pivots, T *const B[],       \
                                         int ldb, int *info, int batchSize) {                                \
    const cublasStatus_t wrong = judge(__func__, handle, n, batchSize, std::min(lda, ldb));                  \
    if (wrong != CUBLAS_STATUS_SUCCESS) return wrong;                                                        \
    if (nrhs < 0) return invalid(__func__, "right sides of " + std::to_string(nrhs) + " columns");           \
    if (info != nullptr) *info = 0;                                                                          \
    if (n == 0 || nrhs == 0 || batchSize == 0) return CUBLAS_STATUS_SUCCESS;                                 \
    const Batch batch = {sizeOf(n), sizeOf(batchSize), pivots, nullptr};                                     \
    const Table from = {A, typeOf<Number<T>>(), lda};                                                        \
    const Table to = {B, typeOf<Number<T>>(), ldb};                                                          \
    return inStream(handle, [=] { return solveEach<Number<T>>(batch, trans, sizeOf(nrhs), from, to); });     \
  }
FACTORS(S, float)
FACTORS(D, double)
FACTORS(C, cuComplex)
FACTORS(Z, cuDoubleComplex)

} // extern "C"
