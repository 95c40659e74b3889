// Work on vectors: BLAS, level 1.
#include <cublas_v2.h>

#include <limits>

#include "libraries/blas/handle.hpp"
#include "libraries/blas/matrices.hpp"

namespace kernelwright::blas {
namespace {

template <typename T> struct RealOf {
  using Type = T;
};
template <typename R> struct RealOf<std::complex<R>> {
  using Type = R;
};
template <typename T> using Real = typename RealOf<T>::Type;

template <typename T> Strided at(const void *address, int step) { return {address, typeOf<T>(), step}; }

template <typename T> std::vector<T> room(int count) {
  return std::vector<T>(static_cast<size_t>(std::max(count, 0)));
}

/** Gives one number that comes of a vector. */
template <typename T, typename Result, typename Work>
cublasStatus_t reduce(cublasHandle_t handle, int count, Strided x, Result *result, Work work) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return inStream(handle, [=] {
    std::vector<T> values = room<T>(x.step <= 0 ? 0 : count);
    const cudaError_t error = read(values, x);
    return error == cudaSuccess ? giveResult(onDevice, result, Result(work(values))) : error;
  });
}

template <typename T> Real<T> sizeOf(const T &value) {
  if constexpr (IsComplex<T>::value)
    return std::abs(value.real()) + std::abs(value.imag());
  else
    return std::abs(value);
}

/** Place, from 1, of the first number for which no other is better; 0 without numbers. */
template <typename T, typename Better> int bestOf(const std::vector<T> &values, Better better) {
  int best = values.empty() ? 0 : 1;
  for (size_t index = 1; index < values.size(); ++index) {
    if (better(sizeOf(values[index]), sizeOf(values[static_cast<size_t>(best) - 1])))
      best = static_cast<int>(index) + 1;
  }
  return best;
}

template <typename T> Real<T> sumOf(const std::vector<T> &values) {
  double sum = 0;
  for (const T &value : values)
    sum += static_cast<double>(sizeOf(value));
  return static_cast<Real<T>>(sum);
}

template <typename T> Real<T> lengthOf(const std::vector<T> &values) {
  long double sum = 0;
  for (const T &value : values)
    sum += static_cast<long double>(std::norm(value));
  return static_cast<Real<T>>(std::sqrt(sum));
}

template <typename T>
cublasStatus_t dot(cublasHandle_t handle, int count, Strided x, Strided y, T *result, bool conjugates) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return inStream(handle, [=] {
    std::vector<T> left = room<T>(count);
    std::vector<T> right = room<T>(count);
    cudaError_t error = read(left, x);
    if (error == cudaSuccess) error = read(right, y);
    if (error != cudaSuccess) return error;
    std::conditional_t<IsComplex<T>::value, std::complex<double>, double> sum = 0;
    for (size_t index = 0; index < left.size(); ++index)
      sum += decltype(sum)(conjugates ? conjugate(left[index]) : left[index]) * decltype(sum)(right[index]);
    return giveResult(onDevice, result, T(sum));
  });
}

/** Reads two vectors, changes them and writes back those that `work` says. */
enum class Writes { second, both };

template <typename T, typename Work>
cublasStatus_t change(cublasHandle_t handle, int count, Strided x, Strided y, Writes writes, Work work) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return inStream(handle, [=] {
    std::vector<T> left = room<T>(count);
    std::vector<T> right = room<T>(count);
    cudaError_t error = read(left, x);
    if (error == cudaSuccess) error = read(right, y);
    if (error == cudaSuccess) error = work(left, right);
    if (error == cudaSuccess && writes == Writes::both) error = write(left, x);
    return error == cudaSuccess ? write(right, y) : error;
  });
}

template <typename T>
cublasStatus_t addScaled(cublasHandle_t handle, int count, const T *alpha, Strided x, Strided y) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Scalar<T> factor(handle, alpha);
  return change<T>(handle, count, x, y, Writes::second, [=](auto &left, auto &right) {
    T scale = {};
    const cudaError_t error = factor.read(scale);
    for (size_t index = 0; error == cudaSuccess && index < left.size(); ++index)
      right[index] += scale * left[index];
    return error;
  });
}

template <typename T, typename Factor>
cublasStatus_t scale(cublasHandle_t handle, int count, const Factor *alpha, Strided x) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Scalar<Factor> factor(handle, alpha);
  return inStream(handle, [=] {
    std::vector<T> values = room<T>(x.step <= 0 ? 0 : count);
    Factor by = {};
    cudaError_t error = factor.read(by);
    if (error == cudaSuccess) error = read(values, x);
    if (error != cudaSuccess) return error;
    for (T &value : values)
      value *= by;
    return write(values, x);
  });
}

template <typename T, typename R>
cublasStatus_t rotate(cublasHandle_t handle, int count, Strided x, Strided y, const R *cosine,
                      const R *sine) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Scalar<R> first(handle, cosine);
  const Scalar<R> second(handle, sine);
  return change<T>(handle, count, x, y, Writes::both, [=](auto &left, auto &right) {
    R c = 0;
    R s = 0;
    cudaError_t error = first.read(c);
    if (error == cudaSuccess) error = second.read(s);
    for (size_t index = 0; error == cudaSuccess && index < left.size(); ++index) {
      const T before = left[index];
      left[index] = c * before + s * right[index];
      right[index] = c * right[index] - s * before;
    }
    return error;
  });
}

/** A Givens rotation that turns (a, b) to (r, 0), as the BLAS reference defines it. */
template <typename T> cublasStatus_t makeRotation(cublasHandle_t handle, T *a, T *b, T *cosine, T *sine) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  const Scalar<T> first(handle, a);
  const Scalar<T> second(handle, b);
  return inStream(handle, [=] {
    T x = 0;
    T y = 0;
    cudaError_t error = first.read(x);
    if (error == cudaSuccess) error = second.read(y);
    if (error != cudaSuccess) return error;
    const T r = std::copysign(std::hypot(x, y), std::abs(x) > std::abs(y) ? x : y);
    const T c = r == 0 ? T(1) : x / r;
    const T s = r == 0 ? T(0) : y / r;
    T z = c != 0 ? T(1) / c : T(1);
    if (std::abs(x) > std::abs(y)) z = s;
    error = giveResult(onDevice, a, r);
    if (error == cudaSuccess) error = giveResult(onDevice, b, r == 0 ? T(0) : z);
    if (error == cudaSuccess) error = giveResult(onDevice, cosine, c);
    return error == cudaSuccess ? giveResult(onDevice, sine, s) : error;
  });
}

template <typename T> const std::complex<T> *numbers(const std::complex<T> *from) { return from; }
inline const float *numbers(const float *from) { return from; }
inline const double *numbers(const double *from) { return from; }
inline const std::complex<float> *numbers(const cuComplex *from) {
  return reinterpret_cast<const std::complex<float> *>(from);
}
inline const std::complex<double> *numbers(const cuDoubleComplex *from) {
  return reinterpret_cast<const std::complex<double> *>(from);
}
template <typename T> auto *numbers(T *from) {
  const T *fixed = from;
  using Number = std::remove_const_t<std::remove_pointer_t<decltype(numbers(fixed))>>;
  return reinterpret_cast<Number *>(from);
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright;
using namespace kernelwright::blas;

extern "C" {

#define VECTORS(X, x_, N, T, R, Number)                                                                      \
  cublasStatus_t cublasI##x_##amax_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result) {     \
    return reduce<Number>(handle, n, at<Number>(x, incx), result,                                            \
                          [](const auto &all) { return bestOf(all, std::greater<R>()); });                   \
  }                                                                                                          \
  cublasStatus_t cublasI##x_##amin_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result) {     \
    return reduce<Number>(handle, n, at<Number>(x, incx), result,                                            \
                          [](const auto &all) { return bestOf(all, std::less<R>()); });                      \
  }                                                                                                          \
  cublasStatus_t cublas##N##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, R *result) {         \
    return reduce<Number>(handle, n, at<Number>(x, incx), result, sumOf<Number>);                            \
  }                                                                                                          \
  cublasStatus_t cublas##N##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, R *result) {         \
    return reduce<Number>(handle, n, at<Number>(x, incx), result, lengthOf<Number>);                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx,      \
                                    T *y, int incy) {                                                        \
    return addScaled(handle, n, numbers(alpha), at<Number>(x, incx), at<Number>(y, incy));                   \
  }                                                                                                          \
  cublasStatus_t cublas##X##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {    \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    return inStream(handle, [=] {                                                                            \
      std::vector<Number> values = room<Number>(n);                                                          \
      const cudaError_t error = read(values, at<Number>(x, incx));                                           \
      return error == cudaSuccess ? write(values, at<Number>(y, incy)) : error;                              \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##X##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {          \
    return change<Number>(handle, n, at<Number>(x, incx), at<Number>(y, incy), Writes::both,                 \
                          [](auto &left, auto &right) {                                                      \
                            left.swap(right);                                                                \
                            return cudaSuccess;                                                              \
                          });                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##X##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) {          \
    return scale<Number>(handle, n, numbers(alpha), at<Number>(x, incx));                                    \
  }
VECTORS(S, s, S, float, float, float)
VECTORS(D, d, D, double, double, double)
VECTORS(C, c, Sc, cuComplex, float, std::complex<float>)
VECTORS(Z, z, Dz, cuDoubleComplex, double, std::complex<double>)

#define DOT(name, T, Number, conjugates)                                                                     \
  cublasStatus_t name(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result) { \
    return dot(handle, n, at<Number>(x, incx), at<Number>(y, incy), numbers(result), conjugates);            \
  }
DOT(cublasSdot, float, float, false)
DOT(cublasDdot, double, double, false)
DOT(cublasCdotu, cuComplex, std::complex<float>, false)
DOT(cublasCdotc, cuComplex, std::complex<float>, true)
DOT(cublasZdotu, cuDoubleComplex, std::complex<double>, false)
DOT(cublasZdotc, cuDoubleComplex, std::complex<double>, true)

#define ROT(name, T, R, Number)                                                                              \
  cublasStatus_t name(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const R *c,              \
                      const R *s) {                                                                          \
    return rotate<Number>(handle, n, at<Number>(x, incx), at<Number>(y, incy), c, s);                        \
  }
ROT(cublasSrot, float, float, float)
ROT(cublasDrot, double, double, double)
ROT(cublasCsrot, cuComplex, float, std::complex<float>)
ROT(cublasZdrot, cuDoubleComplex, double, std::complex<double>)

cublasStatus_t cublasSrotg(cublasHandle_t handle, float *a, float *b, float *c, float *s) {
  return makeRotation(handle, a, b, c, s);
}

cublasStatus_t cublasDrotg(cublasHandle_t handle, double *a, double *b, double *c, double *s) {
  return makeRotation(handle, a, b, c, s);
}

cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float *alpha, cuComplex *x, int incx) {
  return scale<std::complex<float>>(handle, n, alpha, at<std::complex<float>>(x, incx));
}

cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double *alpha, cuDoubleComplex *x, int incx) {
  return scale<std::complex<double>>(handle, n, alpha, at<std::complex<double>>(x, incx));
}

} // extern "C"
