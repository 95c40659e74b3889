// The inner product of matrices on the host.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace kernelwright::blas {

/** A matrix, or the transpose of one: where its numbers lie. */
template <typename T> struct View {
  const T *values;
  size_t rowStep;
  size_t columnStep;
};

struct Shape {
  size_t rows;
  size_t columns;
  /** Numbers of each sum. */
  size_t depth;
};

/** Adds the product of two matrices to packed columns. Every sum is made in the order of its terms, each
 * rounded to T, so that it is the same on every machine. */
void addProduct(const View<float> &a, const View<float> &b, Shape shape, float *sums);
void addProduct(const View<double> &a, const View<double> &b, Shape shape, double *sums);
void addProduct(const View<std::complex<float>> &a, const View<std::complex<float>> &b, Shape shape,
                std::complex<float> *sums);
void addProduct(const View<std::complex<double>> &a, const View<std::complex<double>> &b, Shape shape,
                std::complex<double> *sums);

} // namespace kernelwright::blas
