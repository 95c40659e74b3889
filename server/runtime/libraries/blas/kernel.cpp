#include "libraries/blas/kernel.hpp"

#include <algorithm>
#include <cstring>

#if defined(__GNUC__) && !defined(__clang__)
// A product and a sum that are rounded once on some machines and twice on others would give other digits.
#pragma GCC optimize("O3", "fp-contract=off")
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_THE_MACHINE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_THE_MACHINE
#endif

namespace kernelwright::blas {
namespace {

/** Rows and columns of the tile whose sums stay in registers. */
constexpr size_t kLaneBytes = 64;
constexpr size_t kColumns = 6;

template <typename T> constexpr size_t kRows = kLaneBytes / sizeof(T);

/** `a`: the rows of the tile for each term, `b`: its columns. `sums`: packed, a column behind the other. */
template <typename T>
inline __attribute__((always_inline)) void tile(const T *a, const T *b, size_t depth, T *sums) {
  typedef T Lane __attribute__((vector_size(kLaneBytes), aligned(sizeof(T))));
  Lane sum[kColumns];
  for (size_t column = 0; column < kColumns; ++column)
    std::memcpy(&sum[column], sums + column * kRows<T>, sizeof(Lane));
  for (size_t term = 0; term < depth; ++term) {
    Lane rows;
    std::memcpy(&rows, a + term * kRows<T>, sizeof rows);
    for (size_t column = 0; column < kColumns; ++column)
      sum[column] += rows * b[term * kColumns + column];
  }
  for (size_t column = 0; column < kColumns; ++column)
    std::memcpy(sums + column * kRows<T>, &sum[column], sizeof(Lane));
}

FOR_THE_MACHINE void tileOf(const float *a, const float *b, size_t depth, float *sums) {
  tile<float>(a, b, depth, sums);
}

FOR_THE_MACHINE void tileOf(const double *a, const double *b, size_t depth, double *sums) {
  tile<double>(a, b, depth, sums);
}

/** The terms of some rows (or columns) next to each other; rows that are missing are 0. `step`: from one row
 * to the next; `termStep`: from one term to the next. */
template <typename T> struct Panels {
  const T *values;
  size_t step;
  size_t termStep;
  size_t count;
};

template <typename T> std::vector<T> packed(const Panels<T> &from, size_t width, size_t depth) {
  const size_t panels = (from.count + width - 1) / width;
  std::vector<T> all(panels * width * depth);
  for (size_t panel = 0; panel < panels; ++panel) {
    T *to = all.data() + panel * width * depth;
    const T *first = from.values + panel * width * from.step;
    const size_t here = std::min(width, from.count - panel * width);
    for (size_t term = 0; term < depth; ++term) {
      for (size_t row = 0; row < here; ++row)
        to[term * width + row] = first[row * from.step + term * from.termStep];
    }
  }
  return all;
}

template <typename T> void addTiled(const View<T> &a, const View<T> &b, Shape shape, T *sums) {
  constexpr size_t kHeight = kRows<T>;
  const auto rows = packed<T>({a.values, a.rowStep, a.columnStep, shape.rows}, kHeight, shape.depth);
  const auto columns = packed<T>({b.values, b.columnStep, b.rowStep, shape.columns}, kColumns, shape.depth);
  T sum[kHeight * kColumns];
  for (size_t column = 0; column < shape.columns; column += kColumns) {
    const T *right = columns.data() + column * shape.depth;
    const size_t wide = std::min(kColumns, shape.columns - column);
    for (size_t row = 0; row < shape.rows; row += kHeight) {
      const T *left = rows.data() + row * shape.depth;
      const size_t high = std::min(kHeight, shape.rows - row);
      std::fill(std::begin(sum), std::end(sum), T(0));
      for (size_t each = 0; each < wide; ++each)
        std::copy_n(sums + (column + each) * shape.rows + row, high, sum + each * kHeight);
      tileOf(left, right, shape.depth, sum);
      for (size_t each = 0; each < wide; ++each)
        std::copy_n(sum + each * kHeight, high, sums + (column + each) * shape.rows + row);
    }
  }
}

template <typename T>
void addPlainly(const View<std::complex<T>> &a, const View<std::complex<T>> &b, Shape shape,
                std::complex<T> *sums) {
  for (size_t column = 0; column < shape.columns; ++column) {
    for (size_t term = 0; term < shape.depth; ++term) {
      const std::complex<T> factor = b.values[term * b.rowStep + column * b.columnStep];
      for (size_t row = 0; row < shape.rows; ++row) {
        const std::complex<T> other = a.values[row * a.rowStep + term * a.columnStep];
        // The library's product of complex numbers looks for infinities, which costs ten times as much.
        sums[column * shape.rows + row] +=
            std::complex<T>(other.real() * factor.real() - other.imag() * factor.imag(),
                            other.real() * factor.imag() + other.imag() * factor.real());
      }
    }
  }
}

} // namespace

void addProduct(const View<float> &a, const View<float> &b, Shape shape, float *sums) {
  addTiled(a, b, shape, sums);
}

void addProduct(const View<double> &a, const View<double> &b, Shape shape, double *sums) {
  addTiled(a, b, shape, sums);
}

void addProduct(const View<std::complex<float>> &a, const View<std::complex<float>> &b, Shape shape,
                std::complex<float> *sums) {
  addPlainly(a, b, shape, sums);
}

void addProduct(const View<std::complex<double>> &a, const View<std::complex<double>> &b, Shape shape,
                std::complex<double> *sums) {
  addPlainly(a, b, shape, sums);
}

} // namespace kernelwright::blas
