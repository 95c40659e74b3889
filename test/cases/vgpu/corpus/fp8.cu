// Eight, six and four bits: cuda_fp8.h, cuda_fp6.h and cuda_fp4.h. The headers convert in software on the host.
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
#include "corpus.h"
typedef unsigned short u16; typedef unsigned int u32; typedef unsigned char u8;
MAP(e_float, float, u16, 0, (u16)(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3) | __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2) << 8))
MAP(e_float_plain, float, u16, 0, (u16)(__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3) | __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2) << 8))
MAP(e_double, double, u16, 0, (u16)(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3) | __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E5M2) << 8))
#ifdef __CUDACC__
#define FLOATS make_float2(x, y)
#else
#define FLOATS (float2{x, y})
#endif
MAP(e_floats, float, u32, 0, (u32)__nv_cvt_float2_to_fp8x2(FLOATS, __NV_SATFINITE, __NV_E4M3) | (u32)__nv_cvt_float2_to_fp8x2(FLOATS, __NV_SATFINITE, __NV_E5M2) << 16)
MAP(e_half, u16, u16, 0, (u16)(__nv_cvt_halfraw_to_fp8(__half_raw(__ushort_as_half(x)), __NV_SATFINITE, __NV_E4M3) | __nv_cvt_halfraw_to_fp8(__half_raw(__ushort_as_half(x)), __NV_SATFINITE, __NV_E5M2) << 8))
MAP(e_bfloat, u16, u16, 0, (u16)(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(__ushort_as_bfloat16(x)), __NV_SATFINITE, __NV_E4M3) | __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(__ushort_as_bfloat16(x)), __NV_SATFINITE, __NV_E5M2) << 8))
MAP(e_back, u8, u32, 0, (u32)__nv_cvt_fp8_to_halfraw(x, __NV_E4M3).x | (u32)__nv_cvt_fp8_to_halfraw(x, __NV_E5M2).x << 16)
MAP(e_back_pair, u16, u32, 0, [&] { __half2_raw a = __nv_cvt_fp8x2_to_halfraw2(x, __NV_E4M3), b = __nv_cvt_fp8x2_to_halfraw2(y, __NV_E5M2); return ((u32)a.x | (u32)a.y << 16) ^ ((u32)b.x * 3 | (u32)b.y << 16); }())
MAP(e_six, float, u16, 0, (u16)(__nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest) | __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest) << 8))
MAP(e_six_back, u8, u32, 0, (u32)__nv_cvt_fp6_to_halfraw(x & 63, __NV_E2M3).x | (u32)__nv_cvt_fp6_to_halfraw(x & 63, __NV_E3M2).x << 16)
MAP(e_four, float, u16, 0, (u16)__nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest))
MAP(e_four_back, u8, u16, 0, (u16)__nv_cvt_fp4_to_halfraw(x & 15, __NV_E2M1).x)
MAP(e_scale, float, u16, 0, (u16)__nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf))
