// Few kernels, each for a number that the architecture data need. Every row is one JSON line.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static FILE *out;
static cudaEvent_t e0, e1;
static float *bufA, *bufB; // 1 GiB each
static const size_t GB = 1u << 30;
static int sms, quick;
static std::string only;
static void check(const char *what) {
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e != cudaSuccess) { fprintf(out, "{\"micro\": \"%s\", \"error\": \"%s\"}\n", what, cudaGetErrorName(e)); fflush(out); _exit(3); }
}
__global__ void spin(long long clocks) { long long t = clock64(); while (clock64() - t < clocks) ; }
static float timed(const std::function<void()> &f, int runs = 9, const std::function<void()> &before = [] {}) {
  std::vector<float> t;
  if (quick) runs = 1; else f();
  for (int r = 0; r < runs; r++) {
    before();
    spin<<<1, 1>>>(20000);
    cudaEventRecord(e0); f(); cudaEventRecord(e1); cudaEventSynchronize(e1);
    float ms = 0; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms * 1e6f);
  }
  check("timed");
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}
static void row(const char *micro, const char *format, ...) {
  fprintf(out, "{\"micro\": \"%s\", ", micro);
  va_list a; va_start(a, format); vfprintf(out, format, a); va_end(a);
  fprintf(out, "}\n"); fflush(out);
}

// --- clocks of one multiprocessor: every block writes how long its loop took
__device__ long long clocksOf[4096];
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); if (threadIdx.x == 0) clocksOf[blockIdx.x] = clock64() - t0;
static double clocks() { long long h[132]; cudaMemcpyFromSymbol(h, clocksOf, sizeof(h)); std::sort(h, h + 132); return (double)h[132 - (sms + 1) / 2]; }

#define PIPE(NAME, TYPE, INIT, ...)                                                                                    \
  __global__ void pipe_##NAME(TYPE *o, int n, TYPE x, TYPE y) {                                                          \
    TYPE a0 = INIT, a1 = INIT + (TYPE)1, a2 = INIT + (TYPE)2, a3 = INIT + (TYPE)3;                                       \
    TYPE a4 = INIT + (TYPE)4, a5 = INIT + (TYPE)5, a6 = INIT + (TYPE)6, a7 = INIT + (TYPE)7;                              \
    BEGIN for (int i = 0; i < n; i++) {                                                                                  \
      _Pragma("unroll") for (int k = 0; k < 4; k++) { __VA_ARGS__(a0) __VA_ARGS__(a1) __VA_ARGS__(a2) __VA_ARGS__(a3) __VA_ARGS__(a4) __VA_ARGS__(a5) __VA_ARGS__(a6) __VA_ARGS__(a7) } } \
    END o[blockIdx.x * blockDim.x + threadIdx.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;                                \
  }
#define FFMA_(a) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a) : "f"(x), "f"(y));
#define FADD_(a) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(a) : "f"(x));
#define MUFU_(a) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
#define RSQ_(a) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(a));
#define FMNMX_(a) asm volatile("max.f32 %0, %0, %1;" : "+f"(a) : "f"(x));
#define IMAD_(a) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(a) : "r"(x), "r"(y));
#define IADD_(a) asm volatile("add.s32 %0, %0, %1;" : "+r"(a) : "r"(x));
#define LOP_(a) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(a) : "r"(x), "r"(y));
#define SHF_(a) asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(x), "r"(y));
#define PRMT_(a) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(x), "r"(y));
#define IMNMX_(a) asm volatile("max.s32 %0, %0, %1;" : "+r"(a) : "r"(x));
#define POPC_(a) asm volatile("popc.b32 %0, %0;" : "+r"(a));
#define CLZ_(a) asm volatile("clz.b32 %0, %0;" : "+r"(a));
#define I2F_(a) asm volatile("{.reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f;}" : "+r"(a));
#define F2I_(a) asm volatile("{.reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f;}" : "+r"(a));
#define F2H_(a) asm volatile("{.reg .f32 f; .reg .b16 h; mov.b32 f, %0; cvt.rn.f16.f32 h, f; mov.b32 %0, {h, h};}" : "+r"(a));
#define H2F_(a) asm volatile("{.reg .f32 f; .reg .b16 h, l; mov.b32 {h, l}, %0; cvt.f32.f16 f, h; mov.b32 %0, f;}" : "+r"(a));
#define HFMA_(a) asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(a) : "r"(x), "r"(y));
#define SHFL_(a) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(a));
#define VOTE_(a) asm volatile("{.reg .pred p; setp.gt.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1;}" : "+r"(a) : "r"(x));
#define SEL_(a) asm volatile("{.reg .pred p; setp.gt.s32 p, %0, %1; selp.b32 %0, %2, %0, p;}" : "+r"(a) : "r"(x), "r"(y));
#define DFMA_(a) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(a) : "d"(x), "d"(y));
#define DADD_(a) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(a) : "d"(x));
#define IMADW_(a) asm volatile("{.reg .u32 l; cvt.u32.u64 l, %0; mad.wide.u32 %0, l, l, %1;}" : "+l"(a) : "l"(y));
#define I2D_(a) asm volatile("{.reg .u32 l; .reg .f64 d; cvt.u32.u64 l, %0; cvt.rn.f64.u32 d, l; mov.b64 %0, d;}" : "+l"(a));
#define REDUX_(a) asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(a));
#define MATCH_(a) asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(a));
PIPE(FFMA, float, 1.f, FFMA_) PIPE(FADD, float, 1.f, FADD_) PIPE(EX2, float, 1.f, MUFU_) PIPE(RSQRT, float, 1.f, RSQ_) PIPE(FMNMX, float, 1.f, FMNMX_)
PIPE(IMAD, unsigned, 1u, IMAD_) PIPE(IADD, unsigned, 1u, IADD_) PIPE(LOP3, unsigned, 1u, LOP_) PIPE(SHF, unsigned, 1u, SHF_) PIPE(PRMT, unsigned, 1u, PRMT_)
PIPE(IMNMX, unsigned, 1u, IMNMX_) PIPE(POPC, unsigned, 1u, POPC_) PIPE(CLZ, unsigned, 1u, CLZ_) PIPE(I2F, unsigned, 1u, I2F_) PIPE(F2I, unsigned, 1u, F2I_)
PIPE(F2H, unsigned, 1u, F2H_) PIPE(H2F, unsigned, 1u, H2F_) PIPE(HFMA2, unsigned, 1u, HFMA_) PIPE(SHFL, unsigned, 1u, SHFL_) PIPE(VOTE_SETP, unsigned, 1u, VOTE_) PIPE(SETP_SEL, unsigned, 1u, SEL_)
PIPE(DFMA, double, 1.0, DFMA_) PIPE(DADD, double, 1.0, DADD_) PIPE(IMAD_WIDE, unsigned long long, 1ull, IMADW_) PIPE(I2D, unsigned long long, 1ull, I2D_)
PIPE(REDUX, unsigned, 1u, REDUX_) PIPE(MATCH, unsigned, 1u, MATCH_)
template <class T> static void pipe(const char *name, void (*k)(T *, int, T, T)) {
  if (!only.empty() && only != "pipe") return;
  for (int warps : {1, 4, 16, 32}) {
    int n = quick ? 1 : 64;
    k<<<sms, warps * 32>>>((T *)bufB, n, (T)3, (T)5); check(name);
    k<<<sms, warps * 32>>>((T *)bufB, n, (T)3, (T)5); check(name);
    row("pipe", "\"op\": \"%s\", \"warps\": %d, \"clocksPerInstruction\": %.3f, \"lanesPerClock\": %.2f", name, warps, clocks() / (n * 32.0), 32.0 * warps * n * 32 / clocks());
  }
}

// --- starts of blocks
__global__ void emptyK(float *p, int n) { if (n < 0) p[threadIdx.x] = 1; }
__global__ void emptyShared(float *p, int n) { extern __shared__ float s[]; if (n < 0) { s[threadIdx.x] = n; __syncthreads(); p[threadIdx.x] = s[n]; } }
__global__ void __launch_bounds__(1024) copy1(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void __launch_bounds__(1024) copy4(const float4 *x, float4 *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void copyLoop(const float4 *x, float4 *y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i]; }
__global__ void readLoop(const float4 *x, float *y, size_t n) { float s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = x[i]; s += v.x + v.y + v.z + v.w; } if (s == 1.2345f) *y = s; }
__global__ void writeLoop(float4 *y, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) y[i] = make_float4(1, 2, 3, i); }
static void blocks() {
  for (int threads : {32, 64, 128, 256, 512, 1024})
    for (int perSm : {1, 16, 64, 256}) {
      int grid = sms * perSm;
      row("emptyBlocks", "\"threads\": %d, \"blocks\": %d, \"ns\": %.0f", threads, grid, timed([&] { emptyK<<<grid, threads>>>(bufA, 1); }));
    }
  for (int kb : {0, 8, 24, 48, 100, 200}) {
    cudaFuncSetAttribute(emptyShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    for (int perSm : {16, 64}) row("emptyShared", "\"sharedKb\": %d, \"threads\": 128, \"blocks\": %d, \"ns\": %.0f", kb, sms * perSm, timed([&] { emptyShared<<<sms * perSm, 128, kb << 10>>>(bufA, 1); }));
  }
  for (int megabytes : {8, 64, 512})
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
      int n = megabytes << 18;
      row("copyElement", "\"megabytes\": %d, \"threads\": %d, \"bytesPerThread\": 4, \"ns\": %.0f", megabytes, threads, timed([&] { copy1<<<(n + threads - 1) / threads, threads>>>(bufA, bufB, n); }, 7));
      row("copyElement", "\"megabytes\": %d, \"threads\": %d, \"bytesPerThread\": 16, \"ns\": %.0f", megabytes, threads, timed([&] { copy4<<<(n / 4 + threads - 1) / threads, threads>>>((float4 *)bufA, (float4 *)bufB, n / 4); }, 7));
    }
}

// --- local memory
template <int K> __global__ void local(float *o, int n) {
  volatile float a[K]; float v = threadIdx.x;
  BEGIN for (int r = 0; r < n; r++) {
#pragma unroll 8
    for (int k = 0; k < K; k++) a[k] = v + k;
    float s = 0;
#pragma unroll 8
    for (int k = 0; k < K; k++) s += a[k];
    v = s * 0.001f;
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
template <int K> static void localRow() {
  for (int threads : {128, 512, 1024}) {
    int n = quick ? 1 : 8;
    local<K><<<sms, threads>>>(bufB, n); check("local");
    float ns = timed([&] { local<K><<<sms, threads>>>(bufB, n); }, 5);
    double c = clocks();
    row("local", "\"words\": %d, \"threads\": %d, \"bytesPerSm\": %d, \"clocksPerWarpAccess\": %.3f, \"ns\": %.0f", K, threads, K * 4 * threads, c / (2.0 * n * K * threads / 32), ns);
  }
}

// --- shared memory with conflicts
__global__ void sharedLoad(float *o, int n, int stride) {
  __shared__ float s[32 * 32 + 64];
  for (int i = threadIdx.x; i < 32 * 32 + 64; i += blockDim.x) s[i] = i;
  int at = (threadIdx.x & 31) * stride; float v0 = 0, v1 = 0, v2 = 0, v3 = 0;
  volatile float *p = s + at;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) { v0 += p[0]; v1 += p[1]; v2 += p[2]; v3 += p[3]; }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = v0 + v1 + v2 + v3;
}
__global__ void sharedStore(float *o, int n, int stride) {
  __shared__ float s[32 * 32 + 64];
  volatile float *p = s + (threadIdx.x & 31) * stride;
  float v = threadIdx.x;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) { p[0] = v; p[1] = v; p[2] = v; p[3] = v; }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
template <class V> __global__ void sharedVector(float *o, int n, int stride) {
  extern __shared__ char raw[];
  volatile V *s = (volatile V *)raw;
  int at = (threadIdx.x & 31) * stride;
  float v = 0;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 32; k++) {
      if constexpr (sizeof(V) == 8) { float a, b; asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "r"((unsigned)__cvta_generic_to_shared((void *)(s + at)))); v += a + b; }
      else { float a, b, c, d; asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"((unsigned)__cvta_generic_to_shared((void *)(s + at)))); v += a + b + c + d; }
    }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void sharedAtomic(int *o, int n, int ways) { // ways lanes share one address
  __shared__ int s[1024];
  s[threadIdx.x & 1023] = 0;
  int at = (threadIdx.x & 31) / ways;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 32; k++) atomicAdd(&s[at + (k & 7) * 32], 1);
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x & 1023];
}
__global__ void sharedFloatAtomic(float *o, int n, int ways) {
  __shared__ float s[1024];
  s[threadIdx.x & 1023] = 0;
  int at = (threadIdx.x & 31) / ways;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) atomicAdd(&s[at + (k & 7) * 32], 1.f);
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x & 1023];
}
static void sharedMemory() {
  int n = quick ? 1 : 32;
  for (int warps : {4, 16, 32})
    for (int stride : {0, 1, 2, 4, 8, 16, 32}) {
      sharedLoad<<<sms, warps * 32>>>(bufB, n, stride); check("shared"); sharedLoad<<<sms, warps * 32>>>(bufB, n, stride); check("shared");
      double l = clocks();
      sharedStore<<<sms, warps * 32>>>(bufB, n, stride); check("shared");
      row("sharedConflict", "\"warps\": %d, \"stride\": %d, \"clocksPerLoad\": %.3f, \"clocksPerStore\": %.3f", warps, stride, l / (n * 32.0 * warps), clocks() / (n * 32.0 * warps));
    }
  for (int stride : {1, 2, 4, 8}) {
    sharedVector<float2><<<sms, 512, 16384>>>(bufB, n, stride); check("shared vector"); double a = clocks();
    sharedVector<float4><<<sms, 512, 16384>>>(bufB, n, stride); check("shared vector");
    row("sharedVector", "\"warps\": 16, \"stride\": %d, \"clocksPerLoad8\": %.3f, \"clocksPerLoad16\": %.3f", stride, a / (n * 32.0 * 16), clocks() / (n * 32.0 * 16));
  }
  for (int ways : {1, 2, 4, 8, 16, 32})
    for (int warps : {1, 8, 32}) {
      sharedAtomic<<<sms, warps * 32>>>((int *)bufB, n, ways); check("shared atomic"); double a = clocks();
      sharedFloatAtomic<<<sms, warps * 32>>>(bufB, n, ways); check("shared atomic");
      row("sharedAtomic", "\"ways\": %d, \"warps\": %d, \"clocksPerInt\": %.3f, \"clocksPerFloat\": %.3f", ways, warps, a / (n * 32.0 * warps), clocks() / (n * 8.0 * warps));
    }
}
// transposed tile with and without padding beside global traffic
template <int PAD> __global__ void transpose(const float *x, float *y, int n) {
  __shared__ float t[32][32 + PAD];
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) t[threadIdx.y + k][threadIdx.x] = x[(size_t)(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x; j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(size_t)(j + k) * n + i] = t[threadIdx.x][threadIdx.y + k];
}
__global__ void transposeNaive(const float *x, float *y, int n, int readColumns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (readColumns) y[(size_t)j * n + i] = x[(size_t)i * n + j]; else y[(size_t)i * n + j] = x[(size_t)j * n + i];
}
static void transposes() {
  for (int n : {1024, 4096, 8192}) {
    dim3 g(n / 32, n / 32), b(32, 8), g2(n / 32, n / 8);
    row("transpose", "\"n\": %d, \"conflicts\": %.0f, \"padded\": %.0f, \"readColumns\": %.0f, \"writeColumns\": %.0f", n,
        timed([&] { transpose<0><<<g, b>>>(bufA, bufB, n); }), timed([&] { transpose<1><<<g, b>>>(bufA, bufB, n); }),
        timed([&] { transposeNaive<<<g2, b>>>(bufA, bufB, n, 1); }, 5), timed([&] { transposeNaive<<<g2, b>>>(bufA, bufB, n, 0); }, 5));
  }
}

// --- lanes that part
template <int WAYS> __global__ void diverge(float *o, int n, float x, float y) {
  float a = threadIdx.x; int way = threadIdx.x % WAYS;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int w = 0; w < WAYS; w++)
      if (way == w) {
#pragma unroll
        for (int k = 0; k < 32; k++) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a) : "f"(x), "f"(y));
      }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
template <int W> static void divergeRow() {
  int n = quick ? 1 : 64;
  for (int warps : {4, 16}) {
    diverge<W><<<sms, warps * 32>>>(bufB, n, 1.f, 2.f); check("diverge"); diverge<W><<<sms, warps * 32>>>(bufB, n, 1.f, 2.f); check("diverge");
    row("diverge", "\"ways\": %d, \"warps\": %d, \"clocksPerTurn\": %.2f, \"fmasPerTurn\": %d", W, warps, clocks() / n, 32 * W);
  }
}

// --- atomics on global memory
enum Pattern { ONE, WARP, LANES, SECTORS, LINES, RANDOM };
template <class T, bool RETURNS> __global__ void atomics(T *p, int n, int pattern, unsigned mask, T *o) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x; T r = 0;
  for (int i = 0; i < n; i++) {
    unsigned k = id + i * total, at = 0;
    switch (pattern) {
    case ONE: at = 0; break;
    case WARP: at = (k / 32 * 32) & mask; break;
    case LANES: at = k & mask; break;
    case SECTORS: at = (k * (32 / sizeof(T))) & mask; break;
    case LINES: at = (k * (128 / sizeof(T))) & mask; break;
    case RANDOM: at = (k * 2654435761u >> 4) & mask; break;
    }
    if (RETURNS) r += atomicAdd(p + at, (T)1); else atomicAdd(p + at, (T)1);
  }
  if (RETURNS && r == (T)123456789) *o = r;
}
template <class T, bool RETURNS> static void atomicRows(const char *type) {
  const char *names[] = {"one", "warp", "lanes", "sectors", "lines", "random"};
  for (int pattern = 0; pattern < 6; pattern++)
    for (unsigned bits : {8u, 12u, 16u, 20u}) {
      if (pattern == ONE && bits > 8) continue;
      if (pattern != RANDOM && pattern != ONE && bits != 12 && bits != 20) continue;
      int n = pattern == ONE ? 1 : 4, grid = sms * (pattern == ONE ? 2 : 8);
      float ns = timed([&] { atomics<T, RETURNS><<<grid, 256>>>((T *)bufA, n, pattern, (1u << bits) - 1, (T *)bufB); }, 5);
      double ops = (double)grid * 256 * n;
      row("atomic", "\"type\": \"%s\", \"returns\": %d, \"pattern\": \"%s\", \"addressBits\": %u, \"operations\": %.0f, \"ns\": %.0f, \"perNs\": %.3f", type, (int)RETURNS, names[pattern], bits, ops, ns, ops / ns);
    }
}
// stores of parts of sectors: each lane one word, so many bytes apart
__global__ void strided(float *p, int n, unsigned stride, unsigned bits, int isLoad, float *o) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x; float s = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long k = id + (unsigned long long)i * total, w = k * stride; unsigned at = (w + (w >> bits)) & ((1u << bits) - 1);
    if (isLoad) s += __ldcg(p + at); else p[at] = s + (float)k;
  }
  if (isLoad && s == 1.2345f) *o = s;
}
static void stridedRows() {
  for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 1024u})
    for (unsigned bits : {22u, 28u}) { // 16 MB in the second level, 1 GB in DRAM
      int n = 8, grid = sms * 16; double ops = (double)grid * 256 * n;
      float l = timed([&] { strided<<<grid, 256>>>(bufA, n, stride, bits, 1, bufB); }, 5), w = timed([&] { strided<<<grid, 256>>>(bufA, n, stride, bits, 0, bufB); }, 5);
      row("strided", "\"strideWords\": %u, \"megabytes\": %u, \"lanes\": %.0f, \"loadNs\": %.0f, \"storeNs\": %.0f", stride, 1u << (bits - 18), ops, l, w);
    }
}

// --- launches after each other
static void gaps() {
  for (int count : {1, 2, 50, 200}) {
    auto rowOf = [&](const char *what, const std::function<void()> &one) {
      float ns = timed([&] { for (int i = 0; i < count; i++) one(); }, 7, [] { spin<<<1, 1>>>(4000000); });
      row("launches", "\"what\": \"%s\", \"count\": %d, \"ns\": %.0f", what, count, ns);
    };
    rowOf("empty 1x32", [] { emptyK<<<1, 32>>>(bufA, 1); });
    rowOf("empty 132x128", [] { emptyK<<<132, 128>>>(bufA, 1); });
    rowOf("empty 1056x256", [] { emptyK<<<1056, 256>>>(bufA, 1); });
    rowOf("spin 5000 clocks", [] { spin<<<132, 32>>>(5000); });
    rowOf("copy 1 MB", [] { copy4<<<256, 256>>>((float4 *)bufA, (float4 *)bufB, 1 << 16); });
    rowOf("memset 4 KB", [] { cudaMemsetAsync(bufA, 0, 4096); });
    rowOf("memset 4 KB and empty", [] { cudaMemsetAsync(bufA, 0, 4096); emptyK<<<132, 128>>>(bufA, 1); });
    rowOf("copy of 4 KB within the device", [] { cudaMemcpyAsync(bufA, bufB, 4096, cudaMemcpyDeviceToDevice); });
  }
}

// --- matrix products
#define MMA_KERNEL(NAME, AREGS, BREGS, CT, CREGS, TEXT)
template <int KIND> __device__ inline void product(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  if (KIND == 0) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if (KIND == 1) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if (KIND == 2) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if (KIND == 3) { unsigned *u = (unsigned *)c; asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" : "+r"(u[0]), "+r"(u[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
  if (KIND == 4) { int *u = (int *)c; asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+r"(u[0]), "+r"(u[1]), "+r"(u[2]), "+r"(u[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
  if (KIND == 5) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
template <int KIND, int ILP> __global__ void products(float *o, int n, unsigned seed) {
  float c[ILP][4]; unsigned a[4], b[2];
  for (int i = 0; i < 4; i++) a[i] = (seed + threadIdx.x * 4 + i) & 0x3bff3bff;
  for (int i = 0; i < 2; i++) b[i] = (seed * 3 + threadIdx.x * 2 + i) & 0x3bff3bff;
  for (int j = 0; j < ILP; j++) for (int i = 0; i < 4; i++) c[j][i] = 0;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int j = 0; j < ILP; j++) product<KIND>(c[j], a, b);
  }
  END float s = 0; for (int j = 0; j < ILP; j++) for (int i = 0; i < 4; i++) s += c[j][i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void doubleProducts(double *o, int n) {
  double c[4][2] = {}, a = threadIdx.x, b = 1.0001;
  BEGIN for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(c[j][0]), "+d"(c[j][1]) : "d"(a), "d"(b));
  END o[blockIdx.x * blockDim.x + threadIdx.x] = c[0][0] + c[1][0] + c[2][0] + c[3][1];
}
template <int KIND, int ILP> static void productRow(const char *name, double operations) {
  int n = quick ? 1 : 256;
  for (int warps : {1, 4, 8, 16}) {
    products<KIND, ILP><<<sms, warps * 32>>>(bufB, n, 7); check(name); products<KIND, ILP><<<sms, warps * 32>>>(bufB, n, 7); check(name);
    row("product", "\"op\": \"%s\", \"warps\": %d, \"chains\": %d, \"clocksPerProduct\": %.2f, \"operationsPerClock\": %.0f", name, warps, ILP, clocks() / (n * ILP), operations * warps * n * ILP / clocks());
  }
}
static void productRows() {
  productRow<0, 1>("m16n8k16 f32.f16", 4096); productRow<0, 8>("m16n8k16 f32.f16", 4096);
  productRow<1, 8>("m16n8k16 f32.bf16", 4096); productRow<2, 1>("m16n8k8 f32.tf32", 2048); productRow<2, 8>("m16n8k8 f32.tf32", 2048);
  productRow<3, 1>("m16n8k16 f16.f16", 4096); productRow<3, 8>("m16n8k16 f16.f16", 4096); productRow<4, 1>("m16n8k32 s32.s8", 8192); productRow<4, 8>("m16n8k32 s32.s8", 8192);
  productRow<5, 8>("m16n8k8 f32.f16", 2048);
  int n = quick ? 1 : 128;
  for (int warps : {1, 4, 16}) { doubleProducts<<<sms, warps * 32>>>((double *)bufB, n); check("f64"); doubleProducts<<<sms, warps * 32>>>((double *)bufB, n); check("f64"); row("product", "\"op\": \"m8n8k4 f64\", \"warps\": %d, \"chains\": 4, \"clocksPerProduct\": %.2f, \"operationsPerClock\": %.0f", warps, clocks() / (n * 4), 512.0 * warps * n * 4 / clocks()); }
}

// --- blocks that wait for the one before
__global__ void chain(volatile unsigned *flags, unsigned *ticket, int work) {
  __shared__ unsigned me;
  if (threadIdx.x == 0) {
    me = atomicAdd(ticket, 1);
    long long t = clock64(); while (clock64() - t < work) ;
    if (me > 0) { unsigned v; do { asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(flags + me - 1)); } while (v == 0); }
    asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flags + me));
  }
  __syncthreads();
}
__global__ void chainVolatile(volatile unsigned *flags, unsigned *ticket, int work) {
  __shared__ unsigned me;
  if (threadIdx.x == 0) {
    me = atomicAdd(ticket, 1);
    if (me > 0) while (flags[me - 1] == 0) ;
    __threadfence();
    flags[me] = 1;
  }
  __syncthreads();
}
static void chains() {
  for (int blocksOf : {1, 132, 1056, 4224, 16896})
    for (int threads : {32, 256}) {
      auto clear = [&] { cudaMemsetAsync(bufA, 0, 1 << 20); };
      float a = timed([&] { chain<<<blocksOf, threads>>>((unsigned *)bufA + 64, (unsigned *)bufA, 0); }, 5, clear);
      clear();
      float b = quick ? 0 : 0;
      { std::vector<float> t; for (int r = 0; r < (quick ? 1 : 5); r++) { clear(); spin<<<1, 1>>>(20000); cudaEventRecord(e0); chainVolatile<<<blocksOf, threads>>>((unsigned *)bufA + 64, (unsigned *)bufA, 0); cudaEventRecord(e1); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms * 1e6f); } std::sort(t.begin(), t.end()); b = t[t.size() / 2]; }
      check("chain");
      row("chain", "\"blocks\": %d, \"threads\": %d, \"ns\": %.0f, \"nsPerBlock\": %.1f, \"volatileNs\": %.0f", blocksOf, threads, a, a / blocksOf, b);
    }
}

// --- bandwidth and latency
__global__ void chase(const unsigned *p, int n, unsigned *o) { unsigned at = 0; long long t0 = clock64(); for (int i = 0; i < n; i++) at = p[at]; clocksOf[0] = clock64() - t0; *o = at; }
__global__ void chaseFill(unsigned *p, unsigned words, unsigned step) { for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) p[i] = (i + step) % words; }
__global__ void l1Loop(const float *x, float *o, int n, int words) { float s = 0; BEGIN for (int i = 0; i < n; i++) { int at = threadIdx.x; 
#pragma unroll 8
  for (; at < words; at += blockDim.x) { float v; asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(x + at)); s += v; } } END o[blockIdx.x * blockDim.x + threadIdx.x] = s; }
__global__ void l1Loop4(const float4 *x, float *o, int n, int words) { float s = 0; BEGIN for (int i = 0; i < n; i++) { int at = threadIdx.x;
#pragma unroll 4
  for (; at < words; at += blockDim.x) { float a, b, c, d; asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(x + at)); s += a + b + c + d; } } END o[blockIdx.x * blockDim.x + threadIdx.x] = s; }
static void memory() {
  for (size_t mb : {8, 16, 24, 32, 40, 64, 128, 1024}) {
    size_t n = (mb << 20) / 16; int reps = mb >= 128 ? 1 : 4;
    float r = timed([&] { for (int i = 0; i < reps; i++) readLoop<<<sms * 8, 256>>>((float4 *)bufA, bufB, n); }, 5), w = timed([&] { for (int i = 0; i < reps; i++) writeLoop<<<sms * 8, 256>>>((float4 *)bufA, n); }, 5);
    float c = timed([&] { for (int i = 0; i < reps; i++) copyLoop<<<sms * 8, 256>>>((float4 *)bufA, (float4 *)bufB, n); }, 5);
    row("bandwidth", "\"megabytes\": %zu, \"repeats\": %d, \"readNs\": %.0f, \"writeNs\": %.0f, \"copyNs\": %.0f", mb, reps, r, w, c);
  }
  // A cold second level that holds lines to be written back, or none.
  for (size_t mb : {1, 4, 16, 64, 256}) {
    size_t n = (mb << 20) / 16;
    float *flush = bufB + (GB / 8);
    auto dirty = [&] { cudaMemsetAsync(flush, 1, 256 << 20); };
    auto clean = [&] { readLoop<<<sms * 8, 256>>>((float4 *)flush, bufB, (256 << 20) / 16); };
    float a = timed([&] { readLoop<<<sms * 8, 256>>>((float4 *)bufA, bufB, n); }, 7, dirty), b = timed([&] { readLoop<<<sms * 8, 256>>>((float4 *)bufA, bufB, n); }, 7, clean);
    float c = timed([&] { copyLoop<<<sms * 8, 256>>>((float4 *)bufA, (float4 *)bufB, n); }, 7, dirty), d = timed([&] { copyLoop<<<sms * 8, 256>>>((float4 *)bufA, (float4 *)bufB, n); }, 7, clean);
    row("cold", "\"megabytes\": %zu, \"readAfterWritten\": %.0f, \"readAfterRead\": %.0f, \"copyAfterWritten\": %.0f, \"copyAfterRead\": %.0f", mb, a, b, c, d);
  }
  for (int kb : {16, 64, 128, 192}) {
    int n = quick ? 1 : 16;
    for (int r = 0; r < 2; r++) { l1Loop<<<sms, 1024>>>(bufA, bufB, n, kb << 8); check("l1"); }
    double a = clocks();
    for (int r = 0; r < 2; r++) { l1Loop4<<<sms, 1024>>>((float4 *)bufA, bufB, n, kb << 6); check("l1"); }
    row("firstLevel", "\"kilobytes\": %d, \"bytesPerClock4\": %.1f, \"bytesPerClock16\": %.1f", kb, (double)n * kb * 1024 / a, (double)n * kb * 1024 / clocks());
  }
  unsigned *p = (unsigned *)bufA;
  for (size_t kb : {16, 128, 1024, 8192, 32768, 524288}) {
    unsigned words = kb << 8, step = kb <= 128 ? 32 : 1056; int n = quick ? 4 : (kb <= 128 ? 2048 : 4096);
    if (quick && kb > 1024) continue;
    chaseFill<<<sms * 4, 256>>>(p, words, step); check("fill");
    if (kb > 100000) readLoop<<<sms * 8, 256>>>((float4 *)(bufB), bufB, (256 << 20) / 16);
    for (int r = 0; r < (kb > 100000 ? 1 : 2); r++) { chase<<<1, 1>>>(p, n, (unsigned *)bufB); check("chase"); }
    long long h; cudaMemcpyFromSymbol(&h, clocksOf, 8);
    row("latency", "\"kilobytes\": %zu, \"clocks\": %.1f", kb, (double)h / n);
  }
}
__global__ void barriers(float *o, int n) { BEGIN for (int i = 0; i < n; i++) { __syncthreads(); __syncthreads(); __syncthreads(); __syncthreads(); } END o[threadIdx.x] = 1; }
// The clock that the multiprocessors run at while they work.
__global__ void clockRate(unsigned long long *o, float *f) { unsigned long long g0, g1; long long c0 = clock64(); asm volatile("mov.u64 %0, %globaltimer;" : "=l"(g0)); float a = threadIdx.x; for (int i = 0; i < 200000; i++) a = a * 1.0001f + 0.5f; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(g1)); long long c1 = clock64(); if (threadIdx.x == 0 && blockIdx.x == 0) { o[0] = c1 - c0; o[1] = g1 - g0; } *f = a; }
static void clockRow(const char *when) {
  unsigned long long *d = (unsigned long long *)bufB, h[2];
  clockRate<<<sms, 256>>>(d, bufA); check("clock"); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
  row("clock", "\"when\": \"%s\", \"megahertz\": %.0f", when, h[1] ? 1e3 * h[0] / h[1] : 0.0);
}

int main(int argc, char **argv) {
  out = fopen(argv[1], "a");
  quick = getenv("QUICK") != nullptr;
  if (argc > 2) only = argv[2];
  sms = quick ? 2 : 132;
  size_t size = quick ? 64 << 20 : GB;
  cudaMalloc(&bufA, size); cudaMalloc(&bufB, size); cudaMemset(bufA, 0, size); cudaMemset(bufB, 0, size);
  cudaEventCreate(&e0); cudaEventCreate(&e1);
  check("start");
  auto t = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  double begun = t();
  auto section = [&](const char *name, const std::function<void()> &f) {
    if (!only.empty() && only != name) return;
    double s = t(); f(); row("section", "\"name\": \"%s\", \"seconds\": %.2f", name, t() - s);
  };
  if (!quick) for (int i = 0; i < 20; i++) clockRate<<<sms * 4, 256>>>((unsigned long long *)bufB, bufA);
  check("warm");
  if (!quick) clockRow("begin");
  section("launches", gaps);
  section("blocks", blocks);
  section("shared", sharedMemory);
  section("transposes", transposes);
  section("diverge", [] { divergeRow<1>(); divergeRow<2>(); divergeRow<4>(); divergeRow<8>(); divergeRow<32>(); });
  section("atomics", [] { atomicRows<int, false>("int32"); atomicRows<int, true>("int32"); atomicRows<float, false>("float32"); atomicRows<float, true>("float32"); atomicRows<double, false>("float64"); atomicRows<unsigned long long, false>("uint64"); });
  section("strided", stridedRows);
  section("products", productRows);
  section("chains", chains);
  section("memory", memory);
  section("local", [] { localRow<4>(); localRow<8>(); localRow<16>(); localRow<32>(); localRow<64>(); localRow<128>(); localRow<256>(); });
  section("barriers", [] { for (int threads : {32, 128, 256, 512, 1024}) { int n = quick ? 1 : 64; barriers<<<sms, threads>>>(bufB, n); check("barrier"); barriers<<<sms, threads>>>(bufB, n); check("barrier"); row("barrier", "\"threads\": %d, \"clocks\": %.2f", threads, clocks() / (4 * n)); } });
  section("pipe", [] {
#define P(x, t) pipe<t>(#x, pipe_##x);
    P(FFMA, float) P(FADD, float) P(EX2, float) P(RSQRT, float) P(FMNMX, float) P(IMAD, unsigned) P(IADD, unsigned) P(LOP3, unsigned) P(SHF, unsigned) P(PRMT, unsigned) P(IMNMX, unsigned) P(POPC, unsigned)
    P(CLZ, unsigned) P(I2F, unsigned) P(F2I, unsigned) P(F2H, unsigned) P(H2F, unsigned) P(HFMA2, unsigned) P(SHFL, unsigned) P(VOTE_SETP, unsigned) P(SETP_SEL, unsigned) P(DFMA, double) P(DADD, double)
    P(IMAD_WIDE, unsigned long long) P(I2D, unsigned long long) P(REDUX, unsigned) P(MATCH, unsigned)
  });
  if (!quick) clockRow("end");
  row("end", "\"seconds\": %.2f", t() - begun);
  fclose(out);
  return 0;
}
