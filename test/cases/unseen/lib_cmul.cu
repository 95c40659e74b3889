#include <cstddef>

namespace spectra::detail {

template <typename Real>
struct Complex {
  Real re, im;
};

template <typename Real>
__device__ inline Complex<Real> product(const Complex<Real>& l, const Complex<Real>& r) {
  return {l.re * r.re - l.im * r.im, l.re * r.im + l.im * r.re};
}

// Pointwise product of two spectra, real and imaginary parts interleaved.
template <typename Real>
__global__ void pointwise_product(const Real* a, const Real* b, Real* c, int count, Real scale) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) {
    const Real ar = a[2 * i], ai = a[2 * i + 1];
    const Real br = b[2 * i], bi = b[2 * i + 1];
    c[2 * i] = (ar * br - ai * bi) * scale;
    c[2 * i + 1] = (ar * bi + ai * br) * scale;
  }
}

}  // namespace spectra::detail

namespace spectra {

void multiply(const float* a, const float* b, float* c, int count, float scale) {
  constexpr int kBlock = 256;
  detail::pointwise_product<float><<<(count + kBlock - 1) / kBlock, kBlock>>>(a, b, c, count, scale);
}

}  // namespace spectra
