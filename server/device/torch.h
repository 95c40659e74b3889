// What device code uses of PyTorch's headers, for kernels that are compiled without their host code: the
// layouts are PyTorch's, the code is ours. Host code never sees this file.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// PyTorch's headers draw these in, and kernels lean on it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#define C10_HOST_DEVICE __host__ __device__
#define C10_HOST __host__
#define C10_DEVICE __device__
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_RESTRICT __restrict__
#define C10_UNLIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 0))
#define C10_LIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 1))
#define C10_WARP_SIZE 32
#define C10_MAX_THREADS_PER_BLOCK(threads) (threads)
#define C10_MIN_BLOCKS_PER_SM(threads, blocks) (blocks)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define GPU_LAMBDA __host__ __device__
#define CUDA_KERNEL_ASSERT(condition) \
  do {                                \
    if (!(condition)) __trap();       \
  } while (false)
#define CUDA_KERNEL_LOOP_TYPE(index, count, index_type)                                         \
  for (index_type index = static_cast<index_type>(blockIdx.x) * blockDim.x + threadIdx.x;       \
       index < (count); index += static_cast<index_type>(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(index, count) CUDA_KERNEL_LOOP_TYPE(index, count, int)
#define CUDA_1D_KERNEL_LOOP(index, count) CUDA_KERNEL_LOOP_TYPE(index, count, int)

namespace c10 {

/// Half precision that becomes float where it is computed with, as PyTorch's does.
struct alignas(2) Half {
  unsigned short x;
  Half() = default;
  __host__ __device__ Half(float value) : x(__half_as_ushort(__float2half(value))) {}
  __host__ __device__ Half(const __half& value) : x(__half_as_ushort(value)) {}
  __host__ __device__ operator float() const { return __half2float(__ushort_as_half(x)); }
  __host__ __device__ operator __half() const { return __ushort_as_half(x); }
};

struct alignas(2) BFloat16 {
  unsigned short x;
  BFloat16() = default;
  __host__ __device__ BFloat16(float value) : x(__bfloat16_as_ushort(__float2bfloat16(value))) {}
  __host__ __device__ BFloat16(const __nv_bfloat16& value) : x(__bfloat16_as_ushort(value)) {}
  __host__ __device__ operator float() const { return __bfloat162float(__ushort_as_bfloat16(x)); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 350
__device__ inline Half __ldg(const Half* address) {
  return __half(::__ldg(reinterpret_cast<const __half*>(address)));
}
__device__ inline BFloat16 __ldg(const BFloat16* address) {
  return __nv_bfloat16(::__ldg(reinterpret_cast<const __nv_bfloat16*>(address)));
}
#endif

#define KERNELWRIGHT_OPERATOR(type, sign)                                                         \
  __host__ __device__ inline type operator sign(type a, type b) {                                 \
    return static_cast<float>(a) sign static_cast<float>(b);                                      \
  }                                                                                               \
  __host__ __device__ inline float operator sign(type a, float b) {                               \
    return static_cast<float>(a) sign b;                                                          \
  }                                                                                               \
  __host__ __device__ inline float operator sign(float a, type b) {                               \
    return a sign static_cast<float>(b);                                                          \
  }                                                                                               \
  __host__ __device__ inline double operator sign(type a, double b) {                             \
    return static_cast<float>(a) sign b;                                                          \
  }                                                                                               \
  __host__ __device__ inline double operator sign(double a, type b) {                             \
    return a sign static_cast<float>(b);                                                          \
  }                                                                                               \
  __host__ __device__ inline type operator sign(type a, int b) {                                  \
    return static_cast<float>(a) sign static_cast<float>(b);                                      \
  }                                                                                               \
  __host__ __device__ inline type operator sign(int a, type b) {                                  \
    return static_cast<float>(a) sign static_cast<float>(b);                                      \
  }                                                                                               \
  __host__ __device__ inline type& operator sign##=(type& a, type b) { return a = a sign b; }     \
  __host__ __device__ inline float& operator sign##=(float& a, type b) {                          \
    return a = a sign static_cast<float>(b);                                                      \
  }
#define KERNELWRIGHT_NUMBER(type)                                                                 \
  KERNELWRIGHT_OPERATOR(type, +)                                                                  \
  KERNELWRIGHT_OPERATOR(type, -)                                                                  \
  KERNELWRIGHT_OPERATOR(type, *)                                                                  \
  KERNELWRIGHT_OPERATOR(type, /)                                                                  \
  __host__ __device__ inline type operator-(type a) { return -static_cast<float>(a); }

KERNELWRIGHT_NUMBER(Half)
KERNELWRIGHT_NUMBER(BFloat16)

template <typename T>
struct alignas(sizeof(T) * 2) complex {
  T real_, imag_;
  __host__ __device__ constexpr complex(T real = T(), T imag = T()) : real_(real), imag_(imag) {}
  __host__ __device__ constexpr T real() const { return real_; }
  __host__ __device__ constexpr T imag() const { return imag_; }
};
template <typename T>
__host__ __device__ constexpr complex<T> operator+(complex<T> a, complex<T> b) {
  return {a.real_ + b.real_, a.imag_ + b.imag_};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator-(complex<T> a, complex<T> b) {
  return {a.real_ - b.real_, a.imag_ - b.imag_};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator*(complex<T> a, T b) {
  return {a.real_ * b, a.imag_ * b};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator*(T a, complex<T> b) {
  return b * a;
}
template <typename T>
__host__ __device__ constexpr complex<T> operator/(complex<T> a, T b) {
  return {a.real_ / b, a.imag_ / b};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator/(complex<T> a, complex<T> b) {
  return a * complex<T>(b.real_, -b.imag_) / (b.real_ * b.real_ + b.imag_ * b.imag_);
}
template <typename T>
__host__ __device__ constexpr complex<T> operator+(complex<T> a, T b) {
  return {a.real_ + b, a.imag_};
}
template <typename T>
__host__ __device__ constexpr complex<T> operator-(complex<T> a) {
  return {-a.real_, -a.imag_};
}
template <typename T, typename U>
__host__ __device__ constexpr complex<T>& operator+=(complex<T>& a, U b) {
  return a = a + b;
}
template <typename T, typename U>
__host__ __device__ constexpr complex<T>& operator-=(complex<T>& a, U b) {
  return a = a - b;
}
template <typename T, typename U>
__host__ __device__ constexpr complex<T>& operator*=(complex<T>& a, U b) {
  return a = a * b;
}
template <typename T>
__host__ __device__ constexpr bool operator==(complex<T> a, complex<T> b) {
  return a.real_ == b.real_ && a.imag_ == b.imag_;
}

namespace cuda {
namespace compat {
__device__ inline float exp(float x) { return ::expf(x); }
__device__ inline double exp(double x) { return ::exp(x); }
__device__ inline float log(float x) { return ::logf(x); }
__device__ inline double log(double x) { return ::log(x); }
__device__ inline float sqrt(float x) { return ::sqrtf(x); }
__device__ inline double sqrt(double x) { return ::sqrt(x); }
__device__ inline float rsqrt(float x) { return ::rsqrtf(x); }
__device__ inline double rsqrt(double x) { return ::rsqrt(x); }
__device__ inline float tanh(float x) { return ::tanhf(x); }
__device__ inline double tanh(double x) { return ::tanh(x); }
__device__ inline float erf(float x) { return ::erff(x); }
__device__ inline double erf(double x) { return ::erf(x); }
__device__ inline float pow(float x, float y) { return ::powf(x, y); }
__device__ inline double pow(double x, double y) { return ::pow(x, y); }
__device__ inline float max(float x, float y) { return ::fmaxf(x, y); }
__device__ inline double max(double x, double y) { return ::fmax(x, y); }
__device__ inline float min(float x, float y) { return ::fminf(x, y); }
__device__ inline double min(double x, double y) { return ::fmin(x, y); }
}  // namespace compat
}  // namespace cuda
namespace autograd {}
}  // namespace c10

// As PyTorch's complex numbers have them.
namespace std {
template <typename T>
__host__ __device__ constexpr T real(c10::complex<T> z) {
  return z.real_;
}
template <typename T>
__host__ __device__ constexpr T imag(c10::complex<T> z) {
  return z.imag_;
}
template <typename T>
__host__ __device__ constexpr T norm(c10::complex<T> z) {
  return z.real_ * z.real_ + z.imag_ * z.imag_;
}
template <typename T>
__host__ __device__ constexpr c10::complex<T> conj(c10::complex<T> z) {
  return {z.real_, -z.imag_};
}
template <typename T>
__host__ __device__ T abs(c10::complex<T> z) {
  return ::hypot(z.real_, z.imag_);
}
template <typename T>
__host__ __device__ c10::complex<T> exp(c10::complex<T> z) {
  const T size = ::exp(z.real_);
  return {size * ::cos(z.imag_), size * ::sin(z.imag_)};
}
}  // namespace std

template <>
class std::numeric_limits<c10::Half> {
 public:
  static constexpr bool is_specialized = true;
  __host__ __device__ static c10::Half lowest() { return __ushort_as_half(0xFBFF); }
  __host__ __device__ static c10::Half min() { return __ushort_as_half(0x0400); }
  __host__ __device__ static c10::Half max() { return __ushort_as_half(0x7BFF); }
  __host__ __device__ static c10::Half infinity() { return __ushort_as_half(0x7C00); }
  __host__ __device__ static c10::Half epsilon() { return __ushort_as_half(0x1400); }
};
template <>
class std::numeric_limits<c10::BFloat16> {
 public:
  static constexpr bool is_specialized = true;
  __host__ __device__ static c10::BFloat16 lowest() { return __ushort_as_bfloat16(0xFF7F); }
  __host__ __device__ static c10::BFloat16 min() { return __ushort_as_bfloat16(0x0080); }
  __host__ __device__ static c10::BFloat16 max() { return __ushort_as_bfloat16(0x7F7F); }
  __host__ __device__ static c10::BFloat16 infinity() { return __ushort_as_bfloat16(0x7F80); }
  __host__ __device__ static c10::BFloat16 epsilon() { return __ushort_as_bfloat16(0x3C00); }
};

namespace at {
class Tensor;

using c10::BFloat16;
using c10::Half;

template <typename T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <typename T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};

template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
struct TensorAccessor;

/// What both accessors do. `Dimensions`: an array of their own, or a pointer to that of whoever made them.
template <typename T, size_t N, template <typename> class Traits, typename Index, typename Dimensions>
class AccessorOver {
 public:
  using PtrType = typename Traits<T>::PtrType;
  __host__ __device__ auto operator[](Index index) const -> decltype(auto) {
    if constexpr (N == 1)
      return (data_[strides_[0] * index]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(data_ + strides_[0] * index, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ Index size(Index dimension) const { return sizes_[dimension]; }
  __host__ __device__ Index stride(Index dimension) const { return strides_[dimension]; }
  __host__ __device__ const Index* sizes() const { return sizes_; }
  __host__ __device__ const Index* strides() const { return strides_; }
  __host__ __device__ PtrType data() const { return data_; }

 protected:
  AccessorOver() = default;
  __host__ __device__ AccessorOver(PtrType data, Dimensions sizes, Dimensions strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

 private:
  PtrType data_;
  Dimensions sizes_;
  Dimensions strides_;
};

/// A view of a tensor's memory: the sizes and strides belong to whoever made it.
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct TensorAccessor : AccessorOver<T, N, Traits, Index, const Index*> {
  using Over = AccessorOver<T, N, Traits, Index, const Index*>;
  __host__ __device__ TensorAccessor(typename Over::PtrType data, const Index* sizes, const Index* strides)
      : Over(data, sizes, strides) {}
};

/// What a kernel is passed: pointer, sizes and strides by value, in this order.
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
class GenericPackedTensorAccessor : public AccessorOver<T, N, Traits, Index, Index[N]> {};

template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits, typename Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

template <typename T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<Half> {
  using type = float;
};
template <>
struct OpMathType<BFloat16> {
  using type = float;
};
template <typename T>
using opmath_type = typename OpMathType<T>::type;

template <typename T, bool on_gpu>
struct AccumulateType {
  using type = std::conditional_t<std::is_integral_v<T>, int64_t, opmath_type<T>>;
};
template <typename T, bool on_gpu>
using acc_type = typename AccumulateType<T, on_gpu>::type;

template <typename T>
struct numeric_limits : std::numeric_limits<T> {
  __host__ __device__ static T lower_bound() { return -std::numeric_limits<T>::infinity(); }
  __host__ __device__ static T upper_bound() { return std::numeric_limits<T>::infinity(); }
};

template <typename T>
__host__ __device__ inline T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}
template <typename T>
__host__ __device__ inline bool _isnan(T value) {
  return ::isnan(static_cast<double>(value));
}

namespace cuda {
template <typename T>
__host__ __device__ inline T ATenCeilDiv(T a, T b) {
  return (a + b - 1) / b;
}
namespace detail {
constexpr int MAX_TENSORINFO_DIMS = 25;

/// A tensor of any strides: how many of the sizes count stands behind them.
template <typename T, typename Index>
struct TensorInfo {
  T* data;
  Index sizes[MAX_TENSORINFO_DIMS];
  Index strides[MAX_TENSORINFO_DIMS];
  int dims;
};

/// Where the element of an index lies that counts through all sizes, the last one fastest.
template <typename T, typename Index, int Dims>
struct IndexToOffset {
  __host__ __device__ static Index get(Index index, const TensorInfo<T, Index>& info) {
    const int dimensions = Dims > 0 ? Dims : info.dims;
    Index offset = 0;
    for (int axis = dimensions - 1; axis > 0; --axis) {
      offset += index % info.sizes[axis] * info.strides[axis];
      index /= info.sizes[axis];
    }
    return dimensions == 0 ? offset : offset + index * info.strides[0];
  }
};
}  // namespace detail
}  // namespace cuda
namespace native {}
namespace indexing {}
}  // namespace at

template <typename T>
__device__ inline T gpuAtomicAdd(T* address, T value) {
  return atomicAdd(address, value);
}
__device__ inline c10::Half gpuAtomicAdd(c10::Half* address, c10::Half value) {
  return atomicAdd(reinterpret_cast<__half*>(address), static_cast<__half>(value));
}
__device__ inline c10::BFloat16 gpuAtomicAdd(c10::BFloat16* address, c10::BFloat16 value) {
  return atomicAdd(reinterpret_cast<__nv_bfloat16*>(address), static_cast<__nv_bfloat16>(value));
}
template <typename T>
__device__ inline void gpuAtomicAddNoReturn(T* address, T value) {
  gpuAtomicAdd(address, value);
}
__device__ inline c10::Half atomicAdd(c10::Half* address, c10::Half value) {
  return gpuAtomicAdd(address, value);
}
__device__ inline c10::BFloat16 atomicAdd(c10::BFloat16* address, c10::BFloat16 value) {
  return gpuAtomicAdd(address, value);
}
template <typename T>
__device__ inline T WARP_SHFL(T value, int lane, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_sync(mask, value, lane, width);
}
template <typename T>
__device__ inline T WARP_SHFL_XOR(T value, int lanes, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_xor_sync(mask, value, lanes, width);
}
template <typename T>
__device__ inline T WARP_SHFL_UP(T value, unsigned lanes, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_up_sync(mask, value, lanes, width);
}
template <typename T>
__device__ inline T WARP_SHFL_DOWN(T value, unsigned lanes, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_down_sync(mask, value, lanes, width);
}
__device__ inline unsigned WARP_BALLOT(int predicate, unsigned mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}

namespace torch {
using namespace at;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using c10::BFloat16;
using c10::Half;
namespace autograd {}
namespace indexing {}
namespace nn {
namespace functional {}
}  // namespace nn
}  // namespace torch

// `namespace py = pybind11;` stands in front of kernels whose bindings are left out.
namespace pybind11 {
namespace literals {}
}  // namespace pybind11
