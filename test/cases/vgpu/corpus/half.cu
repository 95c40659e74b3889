// Half precision as cuda_fp16.h and cuda_bf16.h spell it. The host runs the same headers, whose host versions emulate in software.
#ifndef __CUDACC__
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#else
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#endif
#include "corpus.h"
typedef unsigned short u16; typedef unsigned int u32;
#define H(v) __ushort_as_half(v)
#define U(v) __half_as_ushort(v)
#define B(v) __ushort_as_bfloat16(v)
#define V(v) __bfloat16_as_ushort(v)
#define CLEAN(v) ((v & 0x7fff) > 0x7c00 ? 0x3c00 : v)
#define CLEANB(v) ((v & 0x7fff) > 0x7f80 ? 0x3f80 : v)
#define HALF(name, ...) MAP(h_##name, u16, u16, 0, ([](__half a, __half b, __half c) { (void)b; (void)c; __half r = __VA_ARGS__; return U(r); })(H(CLEAN(x)), H(CLEAN(y)), H(CLEAN(z))))
#define BRAIN(name, ...) MAP(b_##name, u16, u16, 0, ([](__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { (void)b; (void)c; __nv_bfloat16 r = __VA_ARGS__; return V(r); })(B(CLEANB(x)), B(CLEANB(y)), B(CLEANB(z))))
#ifdef __CUDACC__
#undef HALF
#undef BRAIN
#define HALF(name, ...) KERNEL(h_##name, u16, u16, { int i = threadIdx.x; __half a = H(CLEAN(in[i])), b = H(CLEAN(in[i + threads])), c = H(CLEAN(in[i + 2 * threads])); (void)b; (void)c; __half r = __VA_ARGS__; out[i] = U(r); })
#define BRAIN(name, ...) KERNEL(b_##name, u16, u16, { int i = threadIdx.x; __nv_bfloat16 a = B(CLEANB(in[i])), b = B(CLEANB(in[i + threads])), c = B(CLEANB(in[i + 2 * threads])); (void)b; (void)c; __nv_bfloat16 r = __VA_ARGS__; out[i] = V(r); })
#endif
#define BOTH(name, ...) HALF(name, __VA_ARGS__) BRAIN(name, __VA_ARGS__)
BOTH(add, __hadd(a, b)) BOTH(sub, __hsub(a, b)) BOTH(mul, __hmul(a, b)) BOTH(div, __hdiv(a, b)) BOTH(neg, __hneg(a)) BOTH(abs, __habs(a))
BOTH(add_sat, __hadd_sat(a, b)) BOTH(mul_sat, __hmul_sat(a, b)) BOTH(add_rn, __hadd_rn(a, b))
BOTH(min, __hmin(a, b)) BOTH(max, __hmax(a, b)) BOTH(min_nan, __hmin_nan(a, b)) BOTH(max_nan, __hmax_nan(a, b))
#ifdef __CUDACC__
BOTH(fma, __hfma(a, b, c)) BOTH(fma_sat, __hfma_sat(a, b, c)) BOTH(fma_relu, __hfma_relu(a, b, c))
BOTH(ceil, hceil(a)) BOTH(floor, hfloor(a)) BOTH(trunc, htrunc(a)) BOTH(rint, hrint(a)) BOTH(sqrt, hsqrt(a)) BOTH(rcp, hrcp(a)) BOTH(rsqrt, hrsqrt(a))
BOTH(exp, hexp(a)) BOTH(exp2, hexp2(a)) BOTH(exp10, hexp10(a)) BOTH(log, hlog(a)) BOTH(log2, hlog2(a)) BOTH(log10, hlog10(a)) BOTH(sin, hsin(a)) BOTH(cos, hcos(a))
BOTH(tanh, htanh(a)) BOTH(tanh_fast, htanh_approx(a))
#endif
#define HOSTED(name, size, ...) \
  EXPECT(h_##name, u16, u16, 0, { for (int i = 0; i < threads; i++) { float a = __half2float(H(CLEAN(in[i]))), b = __half2float(H(CLEAN(in[i + threads]))), c = __half2float(H(CLEAN(in[i + 2 * threads]))); (void)b; (void)c; __half r = __double2half((double)(__VA_ARGS__)); out[i] = std::isnan((double)(__VA_ARGS__)) ? 0x7fff : U(r); } }) \
  EXPECT(b_##name, u16, u16, 0, { for (int i = 0; i < threads; i++) { float a = __bfloat162float(B(CLEANB(in[i]))), b = __bfloat162float(B(CLEANB(in[i + threads]))), c = __bfloat162float(B(CLEANB(in[i + 2 * threads]))); (void)b; (void)c; __nv_bfloat16 r = __double2bfloat16((double)(__VA_ARGS__)); out[i] = std::isnan((double)(__VA_ARGS__)) ? 0x7fff : V(r); } })
HOSTED(ceil, 2, std::ceil(a)) HOSTED(floor, 2, std::floor(a)) HOSTED(trunc, 2, std::trunc(a)) HOSTED(rint, 2, std::rint(a)) HOSTED(sqrt, 2, std::sqrt((double)a))
HALF(compare, __hlt(a, b) + 2 * __hle(a, b) + 4 * __heq(a, b) + 8 * __hne(a, b) + 16 * __hltu(a, b) + 32 * __hgeu(a, b) + 64 * __hisnan(a) + 128 * (__hisinf(a) != 0) + 256 * __hequ(a, b))
BRAIN(compare, __hlt(a, b) + 2 * __hle(a, b) + 4 * __heq(a, b) + 8 * __hne(a, b) + 16 * __hltu(a, b) + 32 * __hgeu(a, b) + 64 * __hisnan(a) + 128 * (__hisinf(a) != 0))
#define PAIR(name, T, make, ...) KERNEL(p_##name, u32, u32, { int i = threadIdx.x; T a; T b; T c; memcpy(&a, in + i, 4); memcpy(&b, in + i + threads, 4); memcpy(&c, in + i + 2 * threads, 4); (void)b; (void)c; auto r = __VA_ARGS__; memcpy(out + i, &r, 4); }) \
  EXPECT(p_##name, u32, u32, 0, { for (int i = 0; i < threads; i++) { T a; T b; T c; memcpy(&a, in + i, 4); memcpy(&b, in + i + threads, 4); memcpy(&c, in + i + 2 * threads, 4); (void)b; (void)c; auto r = __VA_ARGS__; memcpy(out + i, &r, 4); } })
#define PAIRS(name, ...) PAIR(h_##name, __half2, H, __VA_ARGS__) PAIR(b_##name, __nv_bfloat162, B, __VA_ARGS__)
#define DEVICE_PAIRS(name, ...) KERNEL(q_h_##name, u32, u32, { int i = threadIdx.x; __half2 a; __half2 b; __half2 c; memcpy(&a, in + i, 4); memcpy(&b, in + i + threads, 4); memcpy(&c, in + i + 2 * threads, 4); (void)b; (void)c; auto r = __VA_ARGS__; memcpy(out + i, &r, 4); }) \
  KERNEL(q_b_##name, u32, u32, { int i = threadIdx.x; __nv_bfloat162 a; __nv_bfloat162 b; __nv_bfloat162 c; memcpy(&a, in + i, 4); memcpy(&b, in + i + threads, 4); memcpy(&c, in + i + 2 * threads, 4); (void)b; (void)c; auto r = __VA_ARGS__; memcpy(out + i, &r, 4); })
PAIRS(sign, __hneg2(__habs2(__hgt2(a, b)))) PAIRS(equal_mask, __heq2_mask(a, b)) PAIRS(less_mask, __hltu2_mask(a, b)) PAIRS(swap, __lowhigh2highlow(a)) 
DEVICE_PAIRS(arithmetic, __hfma2(__hadd2(a, b), __hmul2(b, c), __hsub2(c, a))) DEVICE_PAIRS(saturated, __hfma2_sat(__hadd2_sat(a, b), b, __hmul2_sat(b, c))) DEVICE_PAIRS(relu, __hfma2_relu(a, b, c))
DEVICE_PAIRS(extremes, __hmin2(__hmax2(a, b), __hmax2_nan(b, c))) DEVICE_PAIRS(compare, __hadd2(__hlt2(a, b), __hgeu2(b, c))) DEVICE_PAIRS(any, (u32)(__hbeq2(a, b) + 2 * __hblt2(a, b) + 4 * __hbgtu2(a, b)))
DEVICE_PAIRS(functions, __hadd2(h2exp2(a), __hadd2(h2sin(b), h2rsqrt(c)))) DEVICE_PAIRS(rounding, __hadd2(h2ceil(a), h2rint(b))) DEVICE_PAIRS(divide, __h2div(a, b)) DEVICE_PAIRS(tanh, h2tanh(a)) DEVICE_PAIRS(complex, __hcmadd(a, b, c))
#ifdef __CUDACC__
#define CONVERT(name, In, Out, ...) KERNEL(c_##name, In, Out, { int i = threadIdx.x; In x = in[i]; out[i] = (Out)(__VA_ARGS__); })
CONVERT(f_h, float, u16, U(__float2half_rn(x)) ^ U(__float2half_rz(x)) << 1 ^ U(__float2half_rd(x)) << 2 ^ U(__float2half_ru(x)) << 3)
CONVERT(f_b, float, u16, V(__float2bfloat16_rn(x)) ^ V(__float2bfloat16_rz(x)) << 1 ^ V(__float2bfloat16_rd(x)) << 2 ^ V(__float2bfloat16_ru(x)) << 3)
CONVERT(d_h, double, u16, U(__double2half(x)) ^ V(__double2bfloat16(x)) << 1)
CONVERT(i_h, int, u16, U(__int2half_rn(x)) ^ U(__int2half_rz(x)) << 1 ^ V(__int2bfloat16_rn(x)) << 2 ^ V(__int2bfloat16_ru(x)) << 3)
CONVERT(l_h, long long, u16, U(__ll2half_rn(x)) ^ U(__ull2half_rd(x)) << 1 ^ V(__ll2bfloat16_rn(x)) << 2 ^ V(__ull2bfloat16_rz(x)) << 3)
CONVERT(s_h, short, u16, U(__short2half_rn(x)) ^ U(__ushort2half_ru(x)) << 1 ^ V(__short2bfloat16_rn(x)) << 2 ^ V(__ushort2bfloat16_rd(x)) << 3)
CONVERT(h_i, u16, int, __half2int_rn(H(x)) ^ __half2int_rz(H(x)) << 1 ^ __half2uint_ru(H(x)) << 2 ^ __bfloat162int_rn(B(x)) << 3 ^ __bfloat162uint_rd(B(x)) << 4)
CONVERT(h_s, u16, short, __half2short_rn(H(x)) ^ __half2ushort_rz(H(x)) << 1 ^ __bfloat162short_rd(B(x)) << 2 ^ __bfloat162ushort_ru(B(x)) << 3 ^ __half2char_rz(H(x)) << 5 ^ __bfloat162uchar_rz(B(x)))
CONVERT(h_l, u16, long long, __half2ll_rn(H(x)) ^ __half2ull_rz(H(x)) << 1 ^ __bfloat162ll_rn(B(x)) << 2 ^ __bfloat162ull_rz(B(x)) << 3)
CONVERT(f_hh, float, u32, [](__half2 v) { u32 r; memcpy(&r, &v, 4); return r; }(__floats2half2_rn(x, x * 2)))
CONVERT(f_bb, float, u32, [](__nv_bfloat162 v) { u32 r; memcpy(&r, &v, 4); return r; }(__floats2bfloat162_rn(x, x * 2)))
KERNEL(h_warp, u32, u32, { __half2 a; memcpy(&a, in + threadIdx.x, 4); for (int m = 16; m; m >>= 1) a = __hadd2(a, __shfl_xor_sync(~0u, a, m)); __half h = __shfl_down_sync(~0u, __low2half(a), 1); a = __halves2half2(h, __high2half(a)); memcpy(out + threadIdx.x, &a, 4); })
KERNEL(h_memory, u16, u16, { const __half* p = (const __half*)in; __half a = __ldg(p + threadIdx.x); __nv_bfloat16 b = __ldg((const __nv_bfloat16*)p + threadIdx.x); __stcg((__half*)out + threadIdx.x, __ldcs(p + threadIdx.x + 7)); out[threadIdx.x + 128] = U(a) + V(b); })
KERNEL(h_atomics, u32, u32, { atomicAdd((__half2*)out, __float2half2_rn(1.0f)); atomicAdd((__half*)out + 2, __float2half(1.0f)); atomicAdd((__nv_bfloat162*)out + 2, __float2bfloat162_rn(1.0f)); atomicAdd((__nv_bfloat16*)out + 6, __float2bfloat16(0.5f)); })
#endif
