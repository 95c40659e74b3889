// Second part: starts of blocks, local memory, products, atomics and stores, with what events see taken off by slopes.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
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
static FILE *out; static cudaEvent_t e0, e1; static float *bufA, *bufB; static const size_t GB = 1u << 30; static int sms = 132;
static void check(const char *what) { cudaError_t e = cudaGetLastError(); if (e == cudaSuccess) e = cudaDeviceSynchronize(); if (e != cudaSuccess) { fprintf(out, "{\"micro2\": \"%s\", \"error\": \"%s\"}\n", what, cudaGetErrorName(e)); fflush(out); _exit(3); } }
__global__ void spin(long long clocks) { long long t = clock64(); while (clock64() - t < clocks) ; }
static float timed(const std::function<void()> &f, int runs = 9, const std::function<void()> &before = [] {}) {
  std::vector<float> t; f();
  for (int r = 0; r < runs; r++) { before(); spin<<<1, 1>>>(20000); cudaEventRecord(e0); f(); cudaEventRecord(e1); cudaEventSynchronize(e1); float ms = 0; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms * 1e6f); }
  check("timed"); std::sort(t.begin(), t.end()); return t[t.size() / 2];
}
static void row(const char *micro, const char *format, ...) { fprintf(out, "{\"micro2\": \"%s\", ", micro); va_list a; va_start(a, format); vfprintf(out, format, a); va_end(a); fprintf(out, "}\n"); fflush(out); }
__device__ long long clocksOf[4096];
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); if (threadIdx.x == 0) clocksOf[blockIdx.x] = clock64() - t0;
static double clocks() { long long h[132]; cudaMemcpyFromSymbol(h, clocksOf, sizeof(h)); std::sort(h, h + 132); return (double)h[66]; }

// --- when warps of a block begin and end, by the clock of their multiprocessor
struct Mark { long long begin, end; unsigned sm, block; };
template <int REGS> __global__ void marks(Mark *m, int work, float *p) {
  long long b = clock64();
  unsigned sm; asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
  float v[REGS > 0 ? REGS : 1];
#pragma unroll
  for (int i = 0; i < REGS; i++) v[i] = p[i * 32];
  long long t = clock64(); while (clock64() - t < work) ;
  float s = 0;
#pragma unroll
  for (int i = 0; i < REGS; i++) s += v[i] * v[(i * 7) % (REGS > 0 ? REGS : 1)];
  if (s == 1.2345f) p[0] = s;
  if ((threadIdx.x & 31) == 0) { unsigned at = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; m[at] = {b, clock64(), sm, blockIdx.x}; }
}
static void starts() {
  for (int work : {0, 400, 2000})
    for (int threads : {32, 128, 256, 512, 1024})
      for (int sharedKb : {0, 100}) {
        if (sharedKb && threads > 256) continue;
        int perSm = 40, grid = sms * perSm, warps = threads / 32;
        Mark *d = (Mark *)bufA;
        cudaFuncSetAttribute(marks<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
        for (int r = 0; r < 2; r++) { marks<0><<<grid, threads, sharedKb << 10>>>(d, work, bufB); check("marks"); }
        std::vector<Mark> h(grid * warps); cudaMemcpy(h.data(), d, h.size() * sizeof(Mark), cudaMemcpyDeviceToHost);
        // Of one multiprocessor: first and last begin of a block's warps, its end, and how long its place was empty.
        std::vector<double> spread, life, gap; 
        for (unsigned sm = 0; sm < 132; sm += 13) {
          struct B { long long first = 1ll << 62, last = 0, end = 0; };
          std::vector<B> b(grid);
          for (auto &x : h) if (x.sm == sm) { auto &y = b[x.block]; y.first = std::min(y.first, x.begin); y.last = std::max(y.last, x.begin); y.end = std::max(y.end, x.end); }
          std::vector<B> l; for (auto &y : b) if (y.end) l.push_back(y);
          std::sort(l.begin(), l.end(), [](const B &x, const B &y) { return x.first < y.first; });
          std::vector<long long> ends; for (auto &y : l) ends.push_back(y.end); std::sort(ends.begin(), ends.end());
          int resident = 0; while (resident < (int)l.size() && l[resident].first < ends[0]) resident++;
          for (size_t i = resident; i < l.size(); i++) { gap.push_back(l[i].first - ends[i - resident]); }
          for (auto &y : l) { spread.push_back(y.last - y.first); life.push_back(y.end - y.first); }
        }
        auto mid = [](std::vector<double> &v) { if (v.empty()) return 0.0; std::sort(v.begin(), v.end()); return v[v.size() / 2]; };
        double g10 = 0; mid(gap); if (!gap.empty()) g10 = gap[gap.size() / 10];
        row("blockStart", "\"work\": %d, \"threads\": %d, \"sharedKb\": %d, \"firstToLastWarp\": %.0f, \"life\": %.0f, \"endToNextBegin\": %.0f, \"endToNextBegin10\": %.0f, \"ns\": %.0f", work, threads, sharedKb, mid(spread), mid(life), mid(gap), g10,
            timed([&] { marks<0><<<grid, threads, sharedKb << 10>>>(d, work, bufB); }, 5));
      }
}
// --- local memory: stores and loads apart
template <int K, int MODE> __global__ void local(float *o, int n, int w) {
  volatile float a[K]; float v = threadIdx.x, s = 0;
  for (int k = 0; k < K; k++) a[(k * w) % K] = v;
  BEGIN for (int r = 0; r < n; r++) {
    if (MODE != 1) {
#pragma unroll 16
      for (int k = 0; k < K; k++) a[k] = v + k; }
    if (MODE != 0) { float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll 4
      for (int k = 0; k < K; k += 4) { float x = a[k], y = a[k + 1], z = a[k + 2], u = a[k + 3]; s0 += x; s1 += y; s2 += z; s3 += u; } s += s0 + s1 + s2 + s3; }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s + a[w % K];
}
template <int K> static void localRow() {
  for (int threads : {128, 512, 1024}) {
    int n = 8; double c[3]; void (*k[3])(float *, int, int) = {local<K, 0>, local<K, 1>, local<K, 2>};
    for (int m = 0; m < 3; m++) { for (int r = 0; r < 2; r++) { k[m]<<<sms, threads>>>(bufB, n, 1); check("local"); } c[m] = clocks() / (n * K * threads / 32.0); }
    row("local", "\"words\": %d, \"threads\": %d, \"bytesPerSm\": %d, \"clocksPerStore\": %.3f, \"clocksPerLoad\": %.3f, \"clocksPerPair\": %.3f", K, threads, K * 4 * threads, c[0], c[1], c[2]);
  }
}
// --- global loads and stores that the first or second level takes, one multiprocessor at a time and all
template <int BYTES, int MODE> __global__ void access(char *p, float *o, int n, unsigned stride, unsigned mask) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * stride; float s = 0;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      char *q = p + ((at + (unsigned)(i * 8 + k) * gridDim.x * blockDim.x * stride) & mask);
      if (MODE == 0) { if (BYTES == 4) { float a; asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(a) : "l"(q)); s += a; } else { float a, b, c, d; asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(q)); s += a + b + c + d; } }
      else { if (BYTES == 4) asm volatile("st.global.f32 [%0], %1;" ::"l"(q), "f"(1.f)); else asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(q), "f"(1.f)); }
    }
  }
  END if (s == 1.2345f) *o = s;
}
template <int BYTES, int MODE> static void accessRow(const char *what) {
  for (unsigned bits : {23u, 30u}) for (unsigned stride : {4u, 16u, 32u, 64u, 128u, 256u}) {
    if (stride < BYTES) continue;
    float t[2]; int ns[2] = {4, 36};
    for (int k = 0; k < 2; k++) t[k] = timed([&] { access<BYTES, MODE><<<sms * 4, 512>>>((char *)bufA, bufB, ns[k], stride, (1u << bits) - 1); }, 5);
    double requests = (double)(ns[1] - ns[0]) * 8 * 4 * 16; // of warps, of one multiprocessor
    row("access", "\"what\": \"%s\", \"bytesPerLane\": %d, \"stride\": %u, \"megabytes\": %u, \"nsSlope\": %.0f, \"clocksPerRequest\": %.2f", what, BYTES, stride, 1u << (bits - 20), t[1] - t[0], (t[1] - t[0]) * 1.98 / requests);
  }
}
// --- loads from the first level
template <int BYTES> __global__ void near_(const char *p, float *o, int n) {
  const char *q = p + threadIdx.x * BYTES; float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  BEGIN for (int i = 0; i < n; i++) {
    if (BYTES == 4) { float a, b, c, d; asm volatile("ld.global.ca.f32 %0, [%4]; ld.global.ca.f32 %1, [%4+4096]; ld.global.ca.f32 %2, [%4+8192]; ld.global.ca.f32 %3, [%4+12288];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(q)); s0 += a; s1 += b; s2 += c; s3 += d; }
    else { float4 a, b; asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%8]; ld.global.ca.v4.f32 {%4,%5,%6,%7}, [%8+16384];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w), "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w) : "l"(q)); s0 += a.x + b.x; s1 += a.y + b.y; s2 += a.z + b.z; s3 += a.w + b.w; }
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s0 + s1 + s2 + s3;
}
// --- atomics with slopes
template <class T, int KIND> __global__ void atomics(T *p, int n, int pattern, unsigned mask, T *o, T value) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x; T r = 0;
  for (int i = 0; i < n; i++) {
    unsigned k = id + i * total, at = 0;
    if (pattern == 1) at = (k / 32 * 32) & mask; if (pattern == 2) at = k & mask; if (pattern == 3) at = (k * (32 / sizeof(T))) & mask; if (pattern == 4) at = (k * (128 / sizeof(T))) & mask; if (pattern == 5) at = (k * 2654435761u >> 4) & mask;
    if (KIND == 1) r += atomicAdd(p + at, value); else atomicAdd(p + at, value);
  }
  if (KIND == 1 && r == (T)123456789) *o = r;
}
template <class T, int KIND> static void atomicRows(const char *type) {
  const char *names[] = {"one", "warp", "lanes", "sectors", "lines", "random"};
  for (int pattern = 0; pattern < 6; pattern++) for (unsigned bits : {6u, 8u, 12u, 20u}) {
    if (pattern == 0 && bits > 6) continue; if (pattern != 5 && pattern != 0 && bits < 12) continue;
    int grid = sms * (pattern == 0 ? 1 : 8), a = pattern == 0 ? 1 : 2, b = pattern == 0 ? 5 : 18; if (pattern == 5 && bits <= 8) b = 6;
    float t0 = timed([&] { atomics<T, KIND><<<grid, 256>>>((T *)bufA, a, pattern, (1u << bits) - 1, (T *)bufB, (T)3); }, 3), t1 = timed([&] { atomics<T, KIND><<<grid, 256>>>((T *)bufA, b, pattern, (1u << bits) - 1, (T *)bufB, (T)3); }, 3);
    double ops = (double)grid * 256 * (b - a);
    row("atomic", "\"type\": \"%s\", \"returns\": %d, \"pattern\": \"%s\", \"addressBits\": %u, \"operationsPerClock\": %.3f", type, KIND, names[pattern], bits, ops / ((t1 - t0) * 1.98));
  }
}
// --- atomics on shared memory at random bins; a constant one, another value, and with a result
template <int KIND> __global__ void sharedAtomic(int *o, int n, unsigned bins, int value) {
  __shared__ int s[4096]; for (int i = threadIdx.x; i < 4096; i += blockDim.x) s[i] = 0;
  unsigned x = threadIdx.x * 2654435761u + blockIdx.x; int r = 0;
  BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) { unsigned at = (x >> (8 + k)) % bins; if (KIND == 0) atomicAdd(&s[at], 1); if (KIND == 1) atomicAdd(&s[at], value); if (KIND == 2) r += atomicAdd(&s[at], value); if (KIND == 3) atomicMax(&s[at], value + k); if (KIND == 4) r += s[at]; }
    x = x * 1664525u + 1013904223u;
  }
  END o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x] + r;
}
template <int KIND> static void sharedRow(const char *what) {
  for (unsigned bins : {1u, 2u, 4u, 16u, 64u, 256u, 4096u}) { for (int r = 0; r < 2; r++) { sharedAtomic<KIND><<<sms, 512>>>((int *)bufB, 16, bins, 3); check("shared"); } row("sharedAtomic", "\"what\": \"%s\", \"bins\": %u, \"clocksPerInstruction\": %.3f", what, bins, clocks() / (16 * 8.0 * 16)); }
}
// --- products of doubles, 16 x 8 x 16
__global__ void doubles(double *o, int n) {
  double c[4][4] = {}, a[8], b[4]; for (int i = 0; i < 8; i++) a[i] = threadIdx.x + i; for (int i = 0; i < 4; i++) b[i] = i;
  BEGIN for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};" : "+d"(c[j][0]), "+d"(c[j][1]), "+d"(c[j][2]), "+d"(c[j][3]) : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  END o[blockIdx.x * blockDim.x + threadIdx.x] = c[0][0] + c[1][1] + c[2][2] + c[3][3];
}
// --- reductions over a warp and a block, and a shuffle chain
__global__ void shuffles(float *o, int n) { float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3; BEGIN for (int i = 0; i < n; i++) {
#pragma unroll
  for (int k = 0; k < 8; k++) { a += __shfl_xor_sync(~0u, a, 1 + (k & 3)); b += __shfl_xor_sync(~0u, b, 1 + (k & 3)); c += __shfl_xor_sync(~0u, c, 1 + (k & 3)); d += __shfl_xor_sync(~0u, d, 1 + (k & 3)); } } END o[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d; }
// --- barriers beside work
__global__ void barriers(float *o, int n, int fmas) { float a = threadIdx.x; BEGIN for (int i = 0; i < n; i++) { for (int k = 0; k < fmas; k++) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a)); __syncthreads(); } END o[blockIdx.x * blockDim.x + threadIdx.x] = a; }
__global__ void emptyK(float *p, int n) { if (n < 0) p[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  out = fopen(argv[1], "a"); cudaMalloc(&bufA, GB); cudaMalloc(&bufB, GB); cudaMemset(bufA, 0, GB); cudaMemset(bufB, 0, GB); cudaEventCreate(&e0); cudaEventCreate(&e1); check("start");
  for (int i = 0; i < 60; i++) { spin<<<132, 32>>>(20000000 / 10); } check("warm");
  auto t = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }; double begun = t();
  starts();
  localRow<16>(); localRow<32>(); localRow<64>(); localRow<128>(); localRow<256>();
  accessRow<4, 0>("load"); accessRow<4, 1>("store"); accessRow<16, 0>("load"); accessRow<16, 1>("store");
  for (int warps : {8, 16, 32}) { for (int r = 0; r < 2; r++) { near_<4><<<sms, warps * 32>>>((char *)bufA, bufB, 64); check("near"); } double a = clocks() / (64 * 4.0 * warps); for (int r = 0; r < 2; r++) { near_<16><<<sms, warps * 32>>>((char *)bufA, bufB, 64); check("near"); } row("firstLevel", "\"warps\": %d, \"clocksPerLoad4\": %.3f, \"clocksPerLoad16\": %.3f", warps, a, clocks() / (64 * 2.0 * warps)); }
  atomicRows<int, 0>("int32"); atomicRows<int, 1>("int32"); atomicRows<float, 0>("float32"); atomicRows<double, 0>("float64");
  sharedRow<0>("add one"); sharedRow<1>("add three"); sharedRow<2>("add with result"); sharedRow<3>("max"); sharedRow<4>("load");
  for (int warps : {4, 8, 16}) { for (int r = 0; r < 2; r++) { doubles<<<sms, warps * 32>>>((double *)bufB, 64); check("doubles"); } row("doubles", "\"warps\": %d, \"operationsPerClock\": %.1f", warps, 4096.0 * 4 * 64 * warps / clocks()); }
  for (int warps : {1, 4, 16, 32}) { for (int r = 0; r < 2; r++) { shuffles<<<sms, warps * 32>>>(bufB, 32); check("shuffles"); } row("shuffle", "\"warps\": %d, \"clocksPerShuffle\": %.3f", warps, clocks() / (32 * 32.0 * warps)); }
  for (int threads : {128, 256, 512, 1024}) for (int fmas : {0, 8, 32}) { for (int r = 0; r < 2; r++) { barriers<<<sms, threads>>>(bufB, 64, fmas); check("barriers"); } row("barrier", "\"threads\": %d, \"fmas\": %d, \"clocks\": %.2f", threads, fmas, clocks() / 64); }
  // two resident blocks with barriers
  for (int threads : {256, 1024}) for (int blocks : {1, 2}) { for (int r = 0; r < 2; r++) { barriers<<<sms * blocks, threads>>>(bufB, 64, 0); check("barriers"); } row("barrierBlocks", "\"threads\": %d, \"blocks\": %d, \"clocks\": %.2f", threads, blocks, clocks() / 64); }
  // launches by a graph, as repeated steps are
  { cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); for (int i = 0; i < 100; i++) emptyK<<<132, 128, 0, s>>>(bufA, 1); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, s); cudaStreamSynchronize(s); std::vector<float> v; for (int r = 0; r < 7; r++) { spin<<<1, 1, 0, s>>>(400000); cudaEventRecord(e0, s); cudaGraphLaunch(x, s); cudaEventRecord(e1, s); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms, e0, e1); v.push_back(ms * 1e6f); } std::sort(v.begin(), v.end()); row("graph", "\"launches\": 100, \"ns\": %.0f", v[3]); }
  row("end", "\"seconds\": %.2f", t() - begun); fclose(out); return 0;
}
