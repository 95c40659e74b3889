// Numbers of the types that cuBLAS names by cudaDataType, widened to those that the host computes with.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <library_types.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

namespace kernelwright::blas {

template <typename T> struct IsComplex : std::false_type {};
template <typename R> struct IsComplex<std::complex<R>> : std::true_type {};

/** Real numbers are their own conjugates. */
template <typename T> T conjugate(T value) {
  if constexpr (IsComplex<T>::value) return std::conj(value);
  return value;
}

/** Bytes of a number; 0 for a type that our cuBLAS does not know. */
inline size_t bytesOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8U:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

inline bool isComplex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

namespace detail {

template <typename From> From raw(const char *bytes) {
  From value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T, typename From, typename Convert>
void widenAll(const char *from, size_t count, T *to, Convert convert) {
  for (size_t index = 0; index < count; ++index)
    to[index] = T(convert(raw<From>(from + index * sizeof(From))));
}

template <typename To, typename T, typename Convert>
void narrowAll(const T *from, size_t count, char *to, Convert convert) {
  for (size_t index = 0; index < count; ++index) {
    const To value = convert(from[index]);
    std::memcpy(to + index * sizeof(To), &value, sizeof value);
  }
}

/** To the nearest integer of the type, ties to even; what does not fit becomes the nearest that does. */
template <typename To, typename T> To saturated(T value) {
  const double rounded = std::nearbyint(static_cast<double>(value));
  const double least = static_cast<double>(std::numeric_limits<To>::min());
  const double most = static_cast<double>(std::numeric_limits<To>::max());
  if (!(rounded > least)) return std::numeric_limits<To>::min();
  return rounded >= most ? std::numeric_limits<To>::max() : static_cast<To>(rounded);
}

} // namespace detail

/** Widens packed numbers. Complex ones need a complex T. */
template <typename T> void widen(const char *from, cudaDataType type, size_t count, T *to) {
  using namespace detail;
  const auto same = [](auto value) { return static_cast<double>(value); };
  switch (type) {
  case CUDA_R_8I:
    return widenAll<T, int8_t>(from, count, to, same);
  case CUDA_R_8U:
    return widenAll<T, uint8_t>(from, count, to, same);
  case CUDA_R_32I:
    return widenAll<T, int32_t>(from, count, to, same);
  case CUDA_R_8F_E4M3:
    return widenAll<T, __nv_fp8_e4m3>(from, count, to, [](__nv_fp8_e4m3 value) { return float(value); });
  case CUDA_R_8F_E5M2:
    return widenAll<T, __nv_fp8_e5m2>(from, count, to, [](__nv_fp8_e5m2 value) { return float(value); });
  case CUDA_R_16F:
    return widenAll<T, __half>(from, count, to, [](__half value) { return __half2float(value); });
  case CUDA_R_16BF:
    return widenAll<T, __nv_bfloat16>(from, count, to,
                                      [](__nv_bfloat16 value) { return __bfloat162float(value); });
  case CUDA_R_32F:
    return widenAll<T, float>(from, count, to, [](float value) { return value; });
  case CUDA_R_64F:
    return widenAll<T, double>(from, count, to, same);
  default:
    break;
  }
  if constexpr (IsComplex<T>::value) {
    if (type == CUDA_C_32F)
      return widenAll<T, std::complex<float>>(from, count, to, [](auto value) { return T(value); });
    widenAll<T, std::complex<double>>(from, count, to, [](auto value) { return T(value); });
  }
}

/** Rounds numbers to a type, to the nearest with ties to even. */
template <typename T> void narrow(const T *from, cudaDataType type, size_t count, char *to) {
  using namespace detail;
  if constexpr (IsComplex<T>::value) {
    if (type == CUDA_C_32F)
      return narrowAll<std::complex<float>>(from, count, to, [](T value) {
        return std::complex<float>(static_cast<float>(value.real()), static_cast<float>(value.imag()));
      });
    return narrowAll<std::complex<double>>(from, count, to,
                                           [](T value) { return std::complex<double>(value); });
  } else {
    switch (type) {
    case CUDA_R_8I:
      return narrowAll<int8_t>(from, count, to, saturated<int8_t, T>);
    case CUDA_R_8U:
      return narrowAll<uint8_t>(from, count, to, saturated<uint8_t, T>);
    case CUDA_R_32I:
      return narrowAll<int32_t>(from, count, to, [](T value) {
        // Sums of 32-bit integers wrap.
        return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
      });
    case CUDA_R_8F_E4M3:
      return narrowAll<__nv_fp8_e4m3>(from, count, to, [](T value) { return __nv_fp8_e4m3(float(value)); });
    case CUDA_R_8F_E5M2:
      return narrowAll<__nv_fp8_e5m2>(from, count, to, [](T value) { return __nv_fp8_e5m2(float(value)); });
    case CUDA_R_16F:
      return narrowAll<__half>(from, count, to, [](T value) { return __float2half_rn(float(value)); });
    case CUDA_R_16BF:
      return narrowAll<__nv_bfloat16>(from, count, to,
                                      [](T value) { return __float2bfloat16_rn(float(value)); });
    case CUDA_R_32F:
      return narrowAll<float>(from, count, to, [](T value) { return static_cast<float>(value); });
    default:
      return narrowAll<double>(from, count, to, [](T value) { return static_cast<double>(value); });
    }
  }
}

} // namespace kernelwright::blas
