// Loads and stores of every size, space and cache operator; structures, constants, locals and vectors.
#include "corpus.h"
typedef unsigned int u32; typedef unsigned long long u64; typedef unsigned short u16; typedef unsigned char u8;
#ifdef __CUDACC__
struct __align__(16) Wide { u64 a; u32 b; u16 c; u8 d; };
__constant__ u32 table[4] = {3, 5, 7, 11};
__constant__ float many[64] = {1, 2, 3};
__device__ u32 counter = 40;
__device__ u64 words[3] = {1, 2, 3};
__device__ u32* pointer = &counter;
__managed__ u32 shared_word = 6;
union Pun { float f; u32 u; u16 h[2]; u8 b[4]; };
#endif
KERNEL(l_hints, u32, u32, { int i = threadIdx.x; u32 v = __ldg(in + i) + __ldcg(in + i + 1) + __ldca(in + i + 2) + __ldcs(in + i + 3) + __ldlu(in + i + 4) + __ldcv(in + i + 5); __stwb(out + i, v); __stcg(out + i + 128, v + 1); __stcs(out + i + 256, v + 2); __stwt(out + i + 384, v + 3); })
EXPECT(l_hints, u32, u32, 0, { for (int i = 0; i < threads; i++) { u32 v = 0; for (int k = 0; k < 6; k++) v += in[i + k]; for (int k = 0; k < 4; k++) out[i + 128 * k] = v + k; } })
KERNEL(l_vectors, u32, u32, { int i = threadIdx.x; uint4 a = ((const uint4*)in)[i]; uint2 b = __ldg((const uint2*)in + i); ushort4 c = ((const ushort4*)in)[i]; uchar4 d = ((const uchar4*)in)[i]; char2 e = ((const char2*)in)[i]; uchar3 f = ((const uchar3*)in)[i]; ((uint4*)out)[i] = make_uint4(a.x + b.y, a.y + c.z, a.z + d.w + f.y, a.w + (u32)e.y); })
EXPECT(l_vectors, u32, u32, 0, { const u8* bytes = (const u8*)in; const u16* halves = (const u16*)in; for (int i = 0; i < threads; i++) { out[4 * i] = in[4 * i] + in[2 * i + 1]; out[4 * i + 1] = in[4 * i + 1] + halves[4 * i + 2]; out[4 * i + 2] = in[4 * i + 2] + bytes[4 * i + 3] + bytes[3 * i + 1]; out[4 * i + 3] = in[4 * i + 3] + (u32)(signed char)bytes[2 * i + 1]; } })
KERNEL(l_doubles, double, double, { double2 v = ((const double2*)in)[threadIdx.x]; ((double2*)out)[threadIdx.x] = make_double2(v.y, v.x); })
EXPECT(l_doubles, double, double, 0, { for (int i = 0; i < threads; i++) { out[2 * i] = in[2 * i + 1]; out[2 * i + 1] = in[2 * i]; } })
KERNEL(l_constants, u32, u32, { u32 v = table[in[threadIdx.x] & 3] + (u32)many[in[threadIdx.x] & 3] + (u32)words[in[threadIdx.x] % 3] + *pointer + shared_word; out[threadIdx.x] = v; })
EXPECT(l_constants, u32, u32, 0, { const u32 table[] = {3, 5, 7, 11}, many[] = {1, 2, 3, 0}; for (int i = 0; i < threads; i++) out[i] = table[in[i] & 3] + many[in[i] & 3] + in[i] % 3 + 1 + 40 + 6; })
KERNEL(l_struct, u32, u32, { __shared__ Wide list[128]; int i = threadIdx.x; list[i] = Wide{in[i], in[i] * 2, (u16)in[i], (u8)in[i]}; __syncthreads(); Wide w = list[i ^ 3]; Wide local[4]; for (int k = 0; k < 4; k++) local[(k + i) & 3] = list[(i + k) & 127]; out[i] = (u32)w.a + w.b + w.c + w.d + local[in[i] & 3].b; })
EXPECT(l_struct, u32, u32, 0, { for (int i = 0; i < threads; i++) { u32 w = in[i ^ 3]; int k = ((int)(in[i] & 3) - i) & 3; out[i] = w + w * 2 + (u16)w + (u8)w + in[(i + k) & 127] * 2; } })
KERNEL(l_pun, float, u32, { Pun p; p.f = in[threadIdx.x]; out[threadIdx.x] = p.u + p.h[1] * 3 + p.b[threadIdx.x & 3]; })
EXPECT(l_pun, float, u32, 0, { for (int i = 0; i < threads; i++) { u32 u; std::memcpy(&u, in + i, 4); out[i] = u + (u >> 16) * 3 + (u >> 8 * (i & 3) & 255); } })
KERNEL(l_generic, u32, u32, { __shared__ u32 tile[128]; u32 local[8]; tile[threadIdx.x] = in[threadIdx.x]; for (int k = 0; k < 8; k++) local[k] = in[threadIdx.x] * k; __syncthreads(); const u32* p = in[threadIdx.x] % 3 == 0 ? tile : in[threadIdx.x] % 3 == 1 ? local : in; u32 v = p[in[threadIdx.x] & 7]; out[threadIdx.x] = v + __isShared(p) + 2 * __isLocal(p) + 4 * __isGlobal(p) + 8 * __isConstant(p); })
EXPECT(l_generic, u32, u32, 0, { for (int i = 0; i < threads; i++) { u32 k = in[i] & 7; out[i] = in[i] % 3 == 0 ? in[k] + 1 : in[i] % 3 == 1 ? in[i] * k + 2 : in[k] + 4; } })
KERNEL(l_bytes, u8, u8, { int i = threadIdx.x; u8 buffer[24]; memcpy(buffer, in + i * 3, 17); memset(buffer + 17, i, 7); for (int k = 0; k < 8; k++) out[i * 8 + k] = buffer[(k * 5 + i) % 24]; })
EXPECT(l_bytes, u8, u8, 0, { for (int i = 0; i < threads; i++) { u8 buffer[24]; std::memcpy(buffer, in + i * 3, 17); std::memset(buffer + 17, i, 7); for (int k = 0; k < 8; k++) out[i * 8 + k] = buffer[(k * 5 + i) % 24]; } })
KERNEL(l_volatile, u32, u32, { volatile u32* p = out; p[threadIdx.x] = in[threadIdx.x]; extern __shared__ u32 dynamic[]; volatile u32* s = dynamic; s[threadIdx.x] = p[threadIdx.x] + 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 9]; })
EXPECT(l_volatile, u32, u32, 0, { for (int i = 0; i < threads; i++) out[i] = in[i ^ 9] + 1; })
KERNEL(l_specials, u32, u32, { u32 a; u32 b; u32 c; u32 d; u64 t; u64 g; asm volatile("mov.u32 %0, %%laneid; mov.u32 %1, %%warpid; mov.u32 %2, %%nwarpid; mov.u32 %3, %%lanemask_lt;" : "=r"(a), "=r"(b), "=r"(c), "=r"(d)); u32 e; u32 f; u32 h; u32 k; asm volatile("mov.u32 %0, %%smid; mov.u32 %1, %%nsmid; mov.u32 %2, %%dynamic_smem_size; mov.u32 %3, %%total_smem_size;" : "=r"(e), "=r"(f), "=r"(h), "=r"(k)); asm volatile("mov.u64 %0, %%gridid; mov.u64 %1, %%globaltimer;" : "=l"(t), "=l"(g)); clock_t before = clock(); __nanosleep(10); out[threadIdx.x] = a + 100 * (threadIdx.x / 32 - b) + (c >= 4) + __popc(d) + (e < f) + h + (k >= h) + (clock() >= before) + (t >= 0) + (g > 0); })
EXPECT(l_specials, u32, u32, 0, { for (int i = 0; i < threads; i++) out[i] = i % 32 + 1 + i % 32 + 1 + 16384 + 1 + 1 + 1 + 1; })
