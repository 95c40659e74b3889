// Third part: small launches, cold caches, conflicts beside DRAM traffic and latency under load. One JSON line a row.
// nvcc -O3 -std=c++17 -arch=sm_90 -o third third.cu && ./third all rows.jsonl
#include <cuda_runtime.h>
#include <math.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

typedef std::function<void(int)> Call;
static FILE *out;
static cudaEvent_t e0, e1;
static float *bufA, *bufB;
static const size_t GB = 1u << 30;
static int sms, quick, runs = 15;
static size_t half = GB / 8; // floats, in the middle of a buffer
static void check(const char *what) {
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e == cudaSuccess) return;
  fprintf(out, "{\"row\": \"%s\", \"error\": \"%s\"}\n", what, cudaGetErrorName(e));
  fflush(out);
  _exit(3);
}
static void row(const char *name, const char *format, ...) {
  fprintf(out, "{\"row\": \"%s\", ", name);
  va_list a;
  va_start(a, format);
  vfprintf(out, format, a);
  va_end(a);
  fprintf(out, "}\n");
  fflush(out);
}
__global__ void spin(long long clocks) {
  long long t = clock64();
  while (clock64() - t < clocks)
    ;
}
__global__ void readAll(const float4 *x, float *y, size_t n) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    float4 v = __ldcg(x + i);
    s += v.x + v.y + v.z + v.w;
  }
  if (s == 1.2345f) *y = s;
}
// The second level is 50 MB: 128 MB are written or read over it.
static float *flushed;
static void flushByWrites() { cudaMemsetAsync(flushed, 7, (quick ? 1 : 128) << 20); }
static void flushByReads() { readAll<<<sms * 4, 512>>>((const float4 *)flushed, bufB, (size_t)((quick ? 1 : 128) << 20) / 16); }
static float median(std::vector<float> &v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
static float between() {
  float ms = 0;
  cudaEventSynchronize(e1);
  cudaEventElapsedTime(&ms, e0, e1);
  return ms * 1e6f;
}
// count calls between two events, behind `before` and a kernel that keeps the GPU busy until the host is done
static float timed(const Call &f, int count, const std::function<void()> &before) {
  std::vector<float> t;
  f(0);
  for (int r = 0; r < (quick ? 1 : runs); r++) {
    before();
    spin<<<1, 1>>>(quick ? 1 : 60000 + 6000LL * count);
    cudaEventRecord(e0);
    for (int i = 0; i < count; i++) f(i + 1);
    cudaEventRecord(e1);
    t.push_back(between());
  }
  check("timed");
  return median(t);
}
static void nothing() {}
// cold by writes, cold by reads, one and three calls right after one, 100 calls
static void both(const char *name, const Call &f) {
  float coldW = timed(f, 1, flushByWrites), coldR = timed(f, 1, flushByReads);
  auto warm = [&] { f(0); };
  row("call", "\"what\": \"%s\", \"coldAfterWrites\": %.0f, \"coldAfterReads\": %.0f, \"one\": %.0f, \"three\": %.0f, \"hundred\": %.0f", name, coldW, coldR,
      timed(f, 1, warm), timed(f, 3, warm) / 3, timed(f, quick ? 2 : 100, warm) / (quick ? 2 : 100));
}

// --- 1. floor of a launch, by grid and block
__global__ void emptyK(float *p, int n) {
  if (n < 0) p[threadIdx.x] = 1;
}
__global__ void copyK(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
static void floors() {
  for (int threads : {32, 256, 1024})
    for (int grid : {1, 16, 66, 132, 264, 528, 1056, 4224}) {
      char name[64];
      snprintf(name, 64, "empty %dx%d", grid, threads);
      both(name, [=](int) { emptyK<<<grid, threads>>>(bufA, 1); });
    }
  for (int grid : {1, 16, 66, 132, 264, 1056, 4224}) {
    char name[64];
    int n = grid * 256;
    snprintf(name, 64, "copy %dx256", grid);
    both(name, [=](int k) { copyK<<<grid, 256>>>(bufA + k * (size_t)n, bufB + k * (size_t)n, n); });
    snprintf(name, 64, "copy same %dx256", grid);
    both(name, [=](int) { copyK<<<grid, 256>>>(bufA, bufB, n); });
  }
}

// --- 2. when a small kernel begins and ends by the clock of the GPU, beside what events see
__device__ unsigned long long marksOf[2 * 8192];
__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
template <int MODE> __global__ void marked(const float *x, float *y, int n) {
  unsigned long long b = now();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (MODE == 1 && i < n) y[i] = x[i];
  if (MODE == 2 && i < n) { // a dependent second load
    int k = __float_as_int(x[i]) + i;
    y[i] = x[k + (n << 2)];
  }
  if (MODE == 1 || MODE == 2) __threadfence();
  if (threadIdx.x == 0) {
    marksOf[2 * blockIdx.x] = b;
    marksOf[2 * blockIdx.x + 1] = now();
  }
}
template <int MODE> static void spanRow(const char *what) {
  for (int grid : {1, 132, 1056, 4224}) {
    int n = grid * 256;
    for (int cold = 0; cold < 2; cold++) {
      std::vector<float> span, event, life;
      for (int r = 0; r < (quick ? 1 : 9); r++) {
        if (cold) flushByReads(); else marked<MODE><<<grid, 256>>>(bufA, bufB, n);
        spin<<<1, 1>>>(quick ? 1 : 40000);
        cudaEventRecord(e0);
        marked<MODE><<<grid, 256>>>(bufA, bufB, n);
        cudaEventRecord(e1);
        event.push_back(between());
        std::vector<unsigned long long> h(2 * grid);
        cudaMemcpyFromSymbol(h.data(), marksOf, h.size() * 8);
        unsigned long long b = ~0ull, e = 0;
        std::vector<float> l;
        for (int k = 0; k < grid; k++) b = std::min(b, h[2 * k]), e = std::max(e, h[2 * k + 1]), l.push_back(h[2 * k + 1] - h[2 * k]);
        span.push_back(e - b);
        life.push_back(median(l));
      }
      check("span");
      row("span", "\"what\": \"%s\", \"blocks\": %d, \"threads\": 256, \"cold\": %d, \"spanNs\": %.0f, \"blockNs\": %.0f, \"eventNs\": %.0f", what, grid, cold, median(span), median(life), median(event));
    }
  }
}

// --- 3. one lane: first touches after a flush, by its own clock
__global__ void touches(const volatile float *p, long long *t, long long far) {
  long long c[7];
  float s = 0;
#define TOUCH(K, AT)                                                                                                   \
  c[K] = clock64();                                                                                                    \
  s += p[AT];                                                                                                          \
  if (s == 1.2345f) t[40] = 1;
  TOUCH(0, 0) TOUCH(1, 1) TOUCH(2, 64) TOUCH(3, 262144) TOUCH(4, 262144 + 64) TOUCH(5, far)
  c[6] = clock64();
  for (int i = 0; i < 7; i++) t[i] = c[i];
}
static void firstTouches() {
  long long *t = (long long *)(bufB + half), h[7];
  for (int cold = 0; cold < 2; cold++)
    for (int r = 0; r < (quick ? 1 : 5); r++) {
      if (cold) flushByReads();
      check("touch");
      touches<<<1, 1>>>(bufA, t, quick ? 1 << 22 : 100 << 20);
      check("touch");
      cudaMemcpy(h, t, sizeof(h), cudaMemcpyDeviceToHost);
      row("touch", "\"cold\": %d, \"first\": %lld, \"sameSector\": %lld, \"otherLine\": %lld, \"otherMegabyte\": %lld, \"lineThere\": %lld, \"farPage\": %lld", cold, h[1] - h[0], h[2] - h[1], h[3] - h[2], h[4] - h[3], h[5] - h[4], h[6] - h[5]);
    }
}

// --- 4. straight code, first and second time through
template <int N> __global__ void straight(float *o, long long *t, float x) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  long long k[4];
#pragma unroll 1
  for (int turn = 0; turn < 3; turn++) {
    k[turn] = clock64();
#pragma unroll
    for (int i = 0; i < N / 4; i++) asm volatile("fma.rn.f32 %0, %0, %4, %0;\n fma.rn.f32 %1, %1, %4, %1;\n fma.rn.f32 %2, %2, %4, %2;\n fma.rn.f32 %3, %3, %4, %3;" : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "f"(x));
  }
  k[3] = clock64();
  o[threadIdx.x] = a + b + c + d;
  if (threadIdx.x == 0) for (int i = 0; i < 4; i++) t[blockIdx.x * 4 + i] = k[i];
}
template <int N> static void straightRow() {
  long long *t = (long long *)(bufB + half), h[4];
  for (int warps : {1, 8})
    for (int cold = 0; cold < 2; cold++) {
      straight<N><<<132, warps * 32>>>(bufB, t, 1.f);
      if (cold) flushByReads();
      check("straight");
      straight<N><<<132, warps * 32>>>(bufB, t, 1.f);
      check("straight");
      cudaMemcpy(h, t, sizeof(h), cudaMemcpyDeviceToHost);
      row("straight", "\"instructions\": %d, \"warps\": %d, \"cold\": %d, \"first\": %lld, \"second\": %lld, \"third\": %lld", N, warps, cold, h[1] - h[0], h[2] - h[1], h[3] - h[2]);
    }
}

// --- 5. latency under load: each warp has so many loads of so many bytes a lane on its way
template <class V> __device__ float sumOf(V v) { return 0; }
template <> __device__ float sumOf(float v) { return v; }
template <> __device__ float sumOf(float2 v) { return v.x + v.y; }
template <> __device__ float sumOf(float4 v) { return v.x + v.y + v.z + v.w; }
template <class V, int AHEAD> __global__ void stream(const V *x, float *y, unsigned n) {
  float s = 0;
  unsigned step = gridDim.x * blockDim.x * AHEAD;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x * AHEAD + threadIdx.x; i < n; i += step) {
    V v[AHEAD];
#pragma unroll
    for (int k = 0; k < AHEAD; k++) v[k] = __ldcg(x + i + k * blockDim.x);
#pragma unroll
    for (int k = 0; k < AHEAD; k++) s += sumOf(v[k]);
    asm volatile("" ::: "memory");
    if (s == 1.2345f) *y = s;
  }
  if (s == 2.2345f) *y = s;
}
template <class V, int AHEAD> static void streamRow() {
  for (int perSm : {128, 256, 512, 1024, 1536, 2048})
    for (unsigned megabytes : {24u, 512u}) {
      if (quick && megabytes > 24) continue;
      int threads = perSm < 512 ? perSm : 512, grid = sms * perSm / threads;
      unsigned step = grid * threads * AHEAD, n = (megabytes << 20) / sizeof(V) / step * step;
      float ns = timed([=](int) { stream<V, AHEAD><<<grid, threads>>>((const V *)bufA, bufB, n); }, 1, nothing);
      double bytes = (double)n * sizeof(V), turns = (double)n / (grid * threads * AHEAD);
      row("stream", "\"bytesPerLane\": %d, \"ahead\": %d, \"threadsPerSm\": %d, \"megabytes\": %u, \"ns\": %.0f, \"GBs\": %.0f, \"nsPerTurn\": %.1f", (int)sizeof(V), AHEAD, perSm, megabytes, ns, bytes / ns, ns / turns);
    }
}

// --- 6. transposes: copies, columns, tiles whose columns take 1 to 32 passes
template <int PITCH> __global__ void tile(const float *x, float *y, int n) {
  __shared__ float t[32 * PITCH];
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += blockDim.y) t[(threadIdx.y + k) * PITCH + threadIdx.x] = x[(size_t)(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x, j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += blockDim.y) y[(size_t)(j + k) * n + i] = t[threadIdx.x * PITCH + threadIdx.y + k];
}
template <int PITCH> __global__ void tileAlone(float *y, int turns) { // the same passes without global memory
  __shared__ float t[32 * PITCH];
  for (int k = 0; k < 32; k += blockDim.y) t[(threadIdx.y + k) * PITCH + threadIdx.x] = threadIdx.x;
  float s = 0;
  for (int turn = 0; turn < turns; turn++) {
    __syncthreads();
    for (int k = 0; k < 32; k += blockDim.y) s += t[threadIdx.x * PITCH + threadIdx.y + k];
    __syncthreads();
    for (int k = 0; k < 32; k += blockDim.y) t[(threadIdx.y + k) * PITCH + threadIdx.x] = s;
  }
  y[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = s;
}
__global__ void columns(const float *x, float *y, int n, int writes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (writes) y[(size_t)i * n + j] = x[(size_t)j * n + i];
  else y[(size_t)j * n + i] = x[(size_t)i * n + j];
}
__global__ void copy2(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[(size_t)j * n + i] = x[(size_t)j * n + i];
}
static void transposeRow(const char *what, int n, int rows, const Call &f) {
  int keep = runs;
  runs = 7;
  row("transpose", "\"what\": \"%s\", \"n\": %d, \"rowsOfBlock\": %d, \"cold\": %.0f, \"warm\": %.0f", what, n, rows, timed(f, 1, flushByReads), timed(f, 1, nothing));
  runs = keep;
}
static void transposes() {
  for (int n : {1024, 2048, 4096})
    for (int rows : {8, 32}) {
      if (quick && n > 1024) continue;
      dim3 g(n / 32, n / 32), b(32, rows), g2(n / 32, n / rows);
      transposeRow("copy", n, rows, [=](int) { copy2<<<g2, b>>>(bufA, bufB, n); });
      transposeRow("writes columns", n, rows, [=](int) { columns<<<g2, b>>>(bufA, bufB, n, 1); });
      transposeRow("reads columns", n, rows, [=](int) { columns<<<g2, b>>>(bufA, bufB, n, 0); });
      transposeRow("tile, 1 way", n, rows, [=](int) { tile<33><<<g, b>>>(bufA, bufB, n); });
      transposeRow("tile, 2 ways", n, rows, [=](int) { tile<34><<<g, b>>>(bufA, bufB, n); });
      transposeRow("tile, 4 ways", n, rows, [=](int) { tile<36><<<g, b>>>(bufA, bufB, n); });
      transposeRow("tile, 8 ways", n, rows, [=](int) { tile<40><<<g, b>>>(bufA, bufB, n); });
      transposeRow("tile, 16 ways", n, rows, [=](int) { tile<48><<<g, b>>>(bufA, bufB, n); });
      transposeRow("tile, 32 ways", n, rows, [=](int) { tile<32><<<g, b>>>(bufA, bufB, n); });
    }
  for (int rows : {8, 32}) {
    dim3 b(32, rows);
    int grid = sms * 2048 / (32 * rows);
    auto alone = [&](int ways, const std::function<void(int)> &f) {
      float ns = timed([&](int) { f(24); }, 1, nothing) - timed([&](int) { f(8); }, 1, nothing);
      row("tileAlone", "\"ways\": %d, \"rowsOfBlock\": %d, \"nsPerTile\": %.2f", ways, rows, ns / 16 / (grid / sms));
    };
    alone(1, [=](int t) { tileAlone<33><<<grid, b>>>(bufB, t); });
    alone(2, [=](int t) { tileAlone<34><<<grid, b>>>(bufB, t); });
    alone(4, [=](int t) { tileAlone<36><<<grid, b>>>(bufB, t); });
    alone(8, [=](int t) { tileAlone<40><<<grid, b>>>(bufB, t); });
    alone(16, [=](int t) { tileAlone<48><<<grid, b>>>(bufB, t); });
    alone(32, [=](int t) { tileAlone<32><<<grid, b>>>(bufB, t); });
  }
}

// --- 7. passes through the banks beside DRAM: each warp loads once and goes through the banks so many times
template <int PITCH, int REPEATS, bool LOADS> __global__ void mixed(const float *x, float *y, unsigned n) {
  __shared__ float t[32 * PITCH + 64];
  for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x) t[i] = i;
  __syncthreads();
  float s = 0;
  volatile float *q = t + (threadIdx.x & 31) * PITCH;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = LOADS ? __ldcg(x + i) : 0.f;
#pragma unroll
    for (int r = 0; r < REPEATS; r++) s += q[r];
    s += v;
  }
  if (s == 1.2345f) *y = s;
}
template <int PITCH, int REPEATS> static void mixedRow(int ways) {
  unsigned n = quick ? 1u << 20 : 32u << 20;
  float a = timed([=](int) { mixed<PITCH, REPEATS, true><<<sms * 4, 512>>>(bufA, bufB, n); }, 1, nothing);
  float b = timed([=](int) { mixed<PITCH, REPEATS, false><<<sms * 4, 512>>>(bufA, bufB, n); }, 1, nothing);
  float c = timed([=](int) { mixed<PITCH, 0, true><<<sms * 4, 512>>>(bufA, bufB, n); }, 1, nothing);
  row("mixed", "\"ways\": %d, \"passes\": %d, \"bothNs\": %.0f, \"banksNs\": %.0f, \"memoryNs\": %.0f", ways, REPEATS, a, b, c);
}

int main(int argc, char **argv) {
  out = argc > 2 ? fopen(argv[2], "w") : stdout;
  quick = argc > 1 && !strcmp(argv[1], "quick");
  size_t size = quick ? (size_t)(64 << 20) : GB;
  half = size / 8;
  cudaMalloc(&bufA, size);
  cudaMalloc(&bufB, size);
  cudaMalloc(&flushed, 128 << 20);
  cudaMemset(bufA, 0, size);
  cudaMemset(bufB, 0, size);
  cudaMemset(flushed, 0, 128 << 20);
  cudaEventCreate(&e0);
  cudaEventCreate(&e1);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  sms = prop.multiProcessorCount;
  check("start");
  int version = 0;
  cudaDriverGetVersion(&version);
  row("gpu", "\"name\": \"%s\", \"sms\": %d, \"driver\": %d, \"secondLevel\": %d", prop.name, sms, version, prop.l2CacheSize);
  for (int i = 0; i < (quick ? 1 : 40); i++) spin<<<sms, 32>>>(quick ? 1 : 2000000);
  check("warm");
  auto clockNow = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  double begun = clockNow();
  auto mark = [&](const char *name) { row("seconds", "\"until\": \"%s\", \"seconds\": %.2f", name, clockNow() - begun); };
  spanRow<0>("nothing"), spanRow<1>("copy"), spanRow<2>("two loads"), mark("spans");
  firstTouches(), mark("touches");
  straightRow<256>(), straightRow<1024>(), straightRow<4096>(), mark("straight");
  floors(), mark("floors");
  transposes(), mark("transposes");
  streamRow<float, 1>(), streamRow<float, 4>(), streamRow<float2, 1>(), streamRow<float4, 1>(), streamRow<float4, 4>(), mark("streams");
  mixedRow<32, 1>(32), mixedRow<32, 2>(32), mixedRow<40, 2>(8), mixedRow<40, 8>(8), mixedRow<33, 16>(1), mixedRow<33, 64>(1), mark("mixed");
  fclose(out);
  return 0;
}
