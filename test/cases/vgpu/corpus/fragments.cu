// Every shape and type of wmma, and mma.sync as inline assembly in the shapes up to sm_80.
#include "corpus.h"
typedef unsigned int u32;
#ifdef __CUDACC__
#include <mma.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
using namespace nvcuda;
// Both matrices hold small numbers cut out of the input, so that sums are exact in any order.
template <typename T> struct Number { static __device__ T of(u32 v) { return (T)(int)(v % 7 - 3); } };
template <> struct Number<unsigned char> { static __device__ unsigned char of(u32 v) { return v; } };
template <> struct Number<signed char> { static __device__ signed char of(u32 v) { return v; } };
template <> struct Number<half> { static __device__ half of(u32 v) { return __int2half_rn((int)(v % 7) - 3); } };
template <> struct Number<__nv_bfloat16> { static __device__ __nv_bfloat16 of(u32 v) { return __int2bfloat16_rn((int)(v % 7) - 3); } };
template <> struct Number<float> { static __device__ float of(u32 v) { return (float)((int)(v % 7) - 3); } };
template <> struct Number<double> { static __device__ double of(u32 v) { return (double)((int)(v % 7) - 3); } };
template <int M, int N, int K, typename T, typename S, typename Acc, typename LayoutA, typename LayoutB>
__device__ void product(const u32* in, u32* out, wmma::layout_t layout) {
  __shared__ __align__(32) S a[M * K]; __shared__ __align__(32) S b[K * N]; __shared__ __align__(32) Acc c[M * N];
  for (int i = threadIdx.x; i < M * K; i += blockDim.x) a[i] = Number<S>::of(in[i]);
  for (int i = threadIdx.x; i < K * N; i += blockDim.x) b[i] = Number<S>::of(in[i + 300]);
  for (int i = threadIdx.x; i < M * N; i += blockDim.x) c[i] = (Acc)(float)(int)(in[i + 600] % 9);
  __syncthreads();
  if (threadIdx.x >= 32) return;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
  wmma::load_matrix_sync(fa, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(fb, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
  wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? N : M, layout);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, layout == wmma::mem_row_major ? N : M, layout);
  __syncwarp();
  for (int i = threadIdx.x; i < M * N; i += 32) out[i] = (u32)(int)(double)(float)c[i];
}
#define PRODUCT(name, M, N, K, T, S, Acc) \
  extern "C" __global__ void w_##name##_rr(const u32* in, u32* out) { product<M, N, K, T, S, Acc, wmma::row_major, wmma::row_major>(in, out, wmma::mem_row_major); } \
  extern "C" __global__ void w_##name##_rc(const u32* in, u32* out) { product<M, N, K, T, S, Acc, wmma::row_major, wmma::col_major>(in, out, wmma::mem_row_major); } \
  extern "C" __global__ void w_##name##_cr(const u32* in, u32* out) { product<M, N, K, T, S, Acc, wmma::col_major, wmma::row_major>(in, out, wmma::mem_col_major); } \
  extern "C" __global__ void w_##name##_cc(const u32* in, u32* out) { product<M, N, K, T, S, Acc, wmma::col_major, wmma::col_major>(in, out, wmma::mem_row_major); }
#else
template <int M, int N, int K, typename S, bool columnsA, bool columnsB, bool columnsC> void product(const u32* in, u32* out) {
  auto number = [](u32 v) { return std::is_same<S, signed char>::value || std::is_same<S, unsigned char>::value ? (int)(S)v : (int)(v % 7) - 3; };
  for (int m = 0; m < M; m++) for (int n = 0; n < N; n++) {
    int at = columnsC ? n * M + m : m * N + n, sum = (int)(in[at + 600] % 9);
    for (int k = 0; k < K; k++) sum += number(in[columnsA ? k * M + m : m * K + k]) * number(in[300 + (columnsB ? n * K + k : k * N + n)]);
    out[at] = (u32)sum;
  }
}
#define PRODUCT(name, M, N, K, T, S, Acc) \
  EXPECT(w_##name##_rr, u32, u32, 0, { product<M, N, K, S, false, false, false>(in, out); }) \
  EXPECT(w_##name##_rc, u32, u32, 0, { product<M, N, K, S, false, true, false>(in, out); }) \
  EXPECT(w_##name##_cr, u32, u32, 0, { product<M, N, K, S, true, false, true>(in, out); }) \
  EXPECT(w_##name##_cc, u32, u32, 0, { product<M, N, K, S, true, true, false>(in, out); })
#define half float
#define __nv_bfloat16 float
#endif
PRODUCT(h16, 16, 16, 16, half, half, float) PRODUCT(h32, 32, 8, 16, half, half, float) PRODUCT(h8, 8, 32, 16, half, half, float)
PRODUCT(hh16, 16, 16, 16, half, half, half) PRODUCT(hh32, 32, 8, 16, half, half, half) PRODUCT(hh8, 8, 32, 16, half, half, half)
PRODUCT(b16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float) PRODUCT(b32, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float) PRODUCT(b8, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float)
PRODUCT(s16, 16, 16, 16, signed char, signed char, int) PRODUCT(s32, 32, 8, 16, signed char, signed char, int) PRODUCT(s8, 8, 32, 16, signed char, signed char, int)
PRODUCT(u16, 16, 16, 16, unsigned char, unsigned char, int) PRODUCT(u32, 32, 8, 16, unsigned char, unsigned char, int) PRODUCT(u8, 8, 32, 16, unsigned char, unsigned char, int)
PRODUCT(t8, 16, 16, 8, wmma::precision::tf32, float, float)
PRODUCT(d4, 8, 8, 4, double, double, double)
#ifdef __CUDACC__
template <typename T> __device__ void subByte(const u32* in, u32* out) {
  if (threadIdx.x >= 32) return;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> b; wmma::fragment<wmma::accumulator, 8, 8, 32, int> c;
  wmma::fill_fragment(c, 5);
  wmma::load_matrix_sync(a, in, 32); wmma::load_matrix_sync(b, in + 32, 32); wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync((int*)out, c, 8, wmma::mem_row_major);
}
extern "C" __global__ void x_s4(const u32* in, u32* out) { subByte<wmma::experimental::precision::s4>(in, out); }
extern "C" __global__ void x_u4(const u32* in, u32* out) { subByte<wmma::experimental::precision::u4>(in, out); }
template <bool both> __device__ void bits(const u32* in, u32* out) {
  if (threadIdx.x >= 32) return;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> a; wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> b; wmma::fragment<wmma::accumulator, 8, 8, 128, int> c;
  wmma::fill_fragment(c, 5);
  wmma::load_matrix_sync(a, in, 128); wmma::load_matrix_sync(b, in + 32, 128);
  wmma::bmma_sync(c, a, b, c, both ? wmma::experimental::bmmaBitOpAND : wmma::experimental::bmmaBitOpXOR, wmma::experimental::bmmaAccumulateOpPOPC);
  wmma::store_matrix_sync((int*)out, c, 8, wmma::mem_row_major);
}
extern "C" __global__ void x_xor(const u32* in, u32* out) { bits<false>(in, out); }
extern "C" __global__ void x_and(const u32* in, u32* out) { bits<true>(in, out); }
#endif
template <bool isSigned> inline void fours(const u32* in, u32* out) {
  for (int at = 0; at < 64; at++) { int sum = 5; for (int k = 0; k < 32; k++) {
    int a = in[(at / 8) * 4 + k / 8] >> 4 * (k % 8) & 15, b = in[32 + (at % 8) * 4 + k / 8] >> 4 * (k % 8) & 15;
    if (isSigned) { a = (a ^ 8) - 8; b = (b ^ 8) - 8; } sum += a * b; } out[at] = (u32)sum; }
}
EXPECT(x_s4, u32, u32, 0, { fours<true>(in, out); }) EXPECT(x_u4, u32, u32, 0, { fours<false>(in, out); })
EXPECT(x_xor, u32, u32, 0, { for (int at = 0; at < 64; at++) { u32 sum = 5; for (int k = 0; k < 4; k++) sum += (u32)__builtin_popcount(in[(at / 8) * 4 + k] ^ in[32 + (at % 8) * 4 + k]); out[at] = sum; } })
EXPECT(x_and, u32, u32, 0, { for (int at = 0; at < 64; at++) { u32 sum = 5; for (int k = 0; k < 4; k++) sum += (u32)__builtin_popcount(in[(at / 8) * 4 + k] & in[32 + (at % 8) * 4 + k]); out[at] = sum; } })
#ifndef __CUDACC__
#undef half
#undef __nv_bfloat16
#endif
