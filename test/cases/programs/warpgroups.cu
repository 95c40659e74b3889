// Products of a warpgroup (wgmma): every swizzling, matrices along rows and along columns, with and without signs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdint>
#include <cstdio>
#include <vector>
__host__ __device__ constexpr int width_of(int sw) { return sw == 0 ? 16 : 256 >> sw; }
__device__ inline uint64_t desc(const void *p, int lbo, int sbo, int sw) {
  uint32_t a = (uint32_t)__cvta_generic_to_shared(p);
  return (uint64_t)((a & 0x3FFFF) >> 4) | ((uint64_t)(lbo >> 4) << 16) | ((uint64_t)(sbo >> 4) << 32) | ((uint64_t)sw << 62);
}
__device__ inline uint32_t swz(uint32_t a, int sw) { return sw == 0 ? a : a ^ ((a >> 3) & (((256 >> sw) - 1) & 0x70)); }
// offset of byte kb of row r: k-major tile of 64 rows x kbytes
__device__ inline uint32_t kmajor(int r, int kb, int kbytes, int sw) {
  if (sw == 0) return (r / 8) * (kbytes / 16 * 128) + (kb / 16) * 128 + (r % 8) * 16 + kb % 16;
  int w = width_of(sw);
  return swz((kb / w) * 64 * w + r * w + kb % w, sw);   // one panel after another
}
// mn-major: element (mn, k), 64 x 64 halves
__device__ inline uint32_t mnmajor(int mn, int k, int sw) {
  if (sw == 0) return (mn / 8) * 128 + (k % 8) * 16 + (k / 8) * 1024 + mn % 8 * 2;
  int w = width_of(sw), per = w / 2;
  return swz((mn / per) * (64 * w) + k * w + (mn % per) * 2, sw);
}
#define W16(T) "wgmma.mma_async.sync.aligned.m64n16k16.f32." T "." T " {%0,%1,%2,%3,%4,%5,%6,%7}, "
template <int SW, bool TA, bool TB, int NEG> __global__ void halves(const half *A, const half *B, float *D) {
  __shared__ alignas(1024) char sa[64 * 128];
  __shared__ alignas(1024) char sb[64 * 128];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    int r = i / 64, k = i % 64;
    *(half *)(sa + (TA ? mnmajor(r, k, SW) : kmajor(r, 2 * k, 128, SW))) = A[i];
    *(half *)(sb + (TB ? mnmajor(r, k, SW) : kmajor(r, 2 * k, 128, SW))) = B[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  const int w = width_of(SW);
#pragma unroll
  for (int k = 0; k < 64; k += 16) {
    auto at = [&](char *s, bool t) {
      if (!t) return SW == 0 ? desc(s + k / 8 * 128, 128, 1024, 0) : desc(s + (2 * k / w) * 64 * w + 2 * k % w, 16, 8 * w, SW);
      return SW == 0 ? desc(s + k / 8 * 1024, 1024, 128, 0) : desc(s + k * w, 64 * w, 8 * w, SW);
    };
    uint64_t da = at(sa, TA), db = at(sb, TB);
    asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;" W16("f16") "%8, %9, p, %11, 1, %12, %13;}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "l"(da), "l"(db), "r"((int)(k > 0)), "n"(NEG), "n"((int)TA), "n"((int)TB));
  }
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  int wp = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int i = 0; i < 8; ++i) D[(wp * 16 + l / 4 + 8 * (i / 2 % 2)) * 16 + i / 4 * 8 + (l % 4) * 2 + i % 2] = d[i];
}
// A in registers, bf16
template <bool fenced> __global__ void fragment(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *D) {
  __shared__ alignas(1024) char sb[64 * 128];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) *(__nv_bfloat16 *)(sb + kmajor(i / 64, 2 * (i % 64), 128, 1)) = B[i];
  if (fenced) asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[8];
  for (int i = 0; i < 8; ++i) d[i] = 0;
  int wp = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int k = 0; k < 64; k += 16) {
    uint32_t a[4];
    for (int j = 0; j < 4; ++j) a[j] = *(const uint32_t *)(A + (wp * 16 + l / 4 + 8 * (j % 2)) * 64 + k + 8 * (j / 2) + (l % 4) * 2);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    uint64_t db = desc(sb + 2 * k, 16, 1024, 1);
    asm volatile(W16("bf16") "{%8,%9,%10,%11}, %12, 1, 1, 1, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 8; ++i) D[(wp * 16 + l / 4 + 8 * (i / 2 % 2)) * 16 + i / 4 * 8 + (l % 4) * 2 + i % 2] = d[i];
}
template <typename T> __global__ void bytes(const T *A, const T *B, float *D) {
  __shared__ alignas(1024) char sa[64 * 64], sb[64 * 64];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    *(T *)(sa + kmajor(i / 64, i % 64, 64, 2)) = A[i];
    *(T *)(sb + kmajor(i / 64, i % 64, 64, 2)) = B[i];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  int wp = threadIdx.x / 32, l = threadIdx.x % 32;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if constexpr (sizeof(T) == 1 && T(-1) < T(0)) {
    int d[4] = {};
    for (int k = 0; k < 64; k += 32)
      asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0,%1,%2,%3}, %4, %5, 1;" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "l"(desc(sa + k, 16, 512, 2)), "l"(desc(sb + k, 16, 512, 2)));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) D[(wp * 16 + l / 4 + 8 * (i / 2 % 2)) * 16 + (l % 4) * 2 + i % 2] = d[i];
  }
}
template <int> __global__ void eights(const __nv_fp8_e4m3 *A, const __nv_fp8_e4m3 *B, float *D) {
  __shared__ alignas(1024) char sa[64 * 64], sb[64 * 64];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    *(__nv_fp8_e4m3 *)(sa + kmajor(i / 64, i % 64, 64, 3)) = A[i];
    *(__nv_fp8_e4m3 *)(sb + kmajor(i / 64, i % 64, 64, 3)) = B[i];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  int wp = threadIdx.x / 32, l = threadIdx.x % 32;
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 64; k += 32)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0,%1,%2,%3}, %4, %5, 1, 1, 1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc(sa + k * 64, 16, 256, 3)), "l"(desc(sb + k * 64, 16, 256, 3)));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) D[(wp * 16 + l / 4 + 8 * (i / 2 % 2)) * 16 + (l % 4) * 2 + i % 2] = d[i];
}
template <typename T, typename F> void check(const char *name, F launch, int columns, float sign) {
  std::vector<T> a(4096), b(4096);
  std::vector<float> fa(4096), fb(4096), d(1024);
  for (int i = 0; i < 4096; ++i) { fa[i] = (i * 7 + i / 64 * 3) % 13 - 6; fb[i] = (i * 5 + i / 64) % 11 - 5; a[i] = T(fa[i]); b[i] = T(fb[i]); }
  T *A, *B; float *D; cudaMalloc(&A, 4096 * sizeof(T)); cudaMalloc(&B, 4096 * sizeof(T)); cudaMalloc(&D, 4096);
  cudaMemcpy(A, a.data(), 4096 * sizeof(T), cudaMemcpyHostToDevice); cudaMemcpy(B, b.data(), 4096 * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemset(D, 0, 4096);
  launch(A, B, D);
  cudaMemcpy(d.data(), D, 4096, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 64; ++i) for (int j = 0; j < columns; ++j) { float s = 0; for (int k = 0; k < 64; ++k) s += fa[i * 64 + k] * fb[j * 64 + k]; bad += sign * s != d[i * 16 + j]; }
  printf("%s bad %d\n", name, bad);
}
#define H(SW, TA, TB, N) check<half>(#SW " " #TA " " #TB " " #N, [](half *a, half *b, float *d) { halves<SW, TA, TB, N><<<1, 128>>>(a, b, d); }, 16, N)
int main() {
  H(0, false, true, 1); H(1, true, false, -1); H(2, false, false, 1); H(3, true, true, 1);
  check<__nv_bfloat16>("fragment", [](__nv_bfloat16 *a, __nv_bfloat16 *b, float *d) { fragment<true><<<1, 128>>>(a, b, d); }, 16, 1);
  check<__nv_bfloat16>("no fence", [](__nv_bfloat16 *a, __nv_bfloat16 *b, float *d) { fragment<false><<<1, 128>>>(a, b, d); }, 16, 1);
  check<signed char>("s8", [](signed char *a, signed char *b, float *d) { bytes<signed char><<<1, 128>>>(a, b, d); }, 8, 1);
  check<__nv_fp8_e4m3>("e4m3", [](__nv_fp8_e4m3 *a, __nv_fp8_e4m3 *b, float *d) { eights<0><<<1, 128>>>(a, b, d); }, 8, 1);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
