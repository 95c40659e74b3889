// Fourier transforms on the host, in double precision.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace kernelwright::fourier {

using Complex = std::complex<double>;

/** Transforms of one length: sums of x[k] exp(sign 2 pi i j k / length), unscaled. */
class Transform {
public:
  /** `sign`: -1 forward, 1 backward. */
  Transform(size_t length, int sign);

  /** Replaces the numbers, of which there are as many as the transform is long. */
  void apply(std::vector<Complex> &values) const;

private:
  void recurse(const Complex *from, size_t step, Complex *to, size_t length, size_t factor) const;
  /** By a convolution with a chirp (Bluestein), for lengths with a large prime factor. */
  void convolve(std::vector<Complex> &values) const;

  size_t length_;
  int sign_;
  std::vector<size_t> factors_;
  /** exp(sign 2 pi i k / length). */
  std::vector<Complex> turns_;
};

} // namespace kernelwright::fourier
