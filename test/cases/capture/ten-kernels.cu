// Ten kernels in ten styles; the first argument says how the program misbehaves.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <cuda_fp16.h>

#define LAUNCH(kernel, count, ...) kernel<<<((count) + 127) / 128, 128>>>(__VA_ARGS__)

namespace {

struct Affine {
  float scale;
  float *shift;
  int count;
};
struct Particle {
  float3 position;
  float mass;
};
typedef unsigned char Pixel;

__constant__ float taps[5];
__device__ unsigned hits;

__global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void affine(Affine by, float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < by.count) values[i] = by.scale * values[i] + by.shift[i];
  else if (by.count < 0) printf("no count: %d\n", by.count);
}

__global__ void convolve(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  float sum = 0;
  for (int tap = 0; tap < 5; ++tap) sum += taps[tap] * in[i + tap - 2];
  out[i] = sum;
}

template <typename T, int kThreads> __global__ void blockSums(const T *in, T *sums, int n) {
  __shared__ T part[kThreads];
  int i = blockIdx.x * kThreads + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : T(0);
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void transpose(float *out, const float *in, dim3 size) {
  extern __shared__ float tile[];
  unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < size.x && y < size.y) tile[threadIdx.y * 17 + threadIdx.x] = in[y * size.x + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < size.y && y < size.x) out[y * size.y + x] = tile[threadIdx.x * 17 + threadIdx.y];
}

__global__ void histogram(const Pixel *pixels, int n, unsigned *bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[pixels[i]], 1u);
}

__global__ void move(Particle *particles, float step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].position.x += step * particles[i].mass;
}

__global__ void countHits(const int *flags, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flags[i] != 0) atomicAdd(&hits, 1u);
}

extern "C" __global__ void gather(const double *table, const int *index, double *out, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i]];
}

__global__ void halve(__half2 *values, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) values[i] = __hmul2(values[i], __float2half2_rn(0.5f));
}

template <typename T> T *onDevice(int count, T (*value)(int)) {
  T *host = new T[count], *device = nullptr;
  for (int i = 0; i < count; ++i) host[i] = value(i);
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  delete[] host;
  return device;
}

__global__ void fillRows(float **rows) { rows[blockIdx.x][threadIdx.x] = threadIdx.x; }

void misbehave(const char *how) {
  char line[8];
  if (!strcmp(how, "nothing")) exit(0);
  if (!strcmp(how, "crash")) *(volatile int *)8 = 1;
  if (!strcmp(how, "hang")) for (;;) sleep(1);
  if (!strcmp(how, "fork") && fork() == 0) exit(3);
  if (!strcmp(how, "input") && fgets(line, sizeof line, stdin) == nullptr) printf("no input\n");
  if (!strcmp(how, "huge")) {
    char *all = nullptr;
    cudaMalloc(&all, 400 << 20);
    cudaMemset(all, 1, 400 << 20);
    LAUNCH(halve, 100, (__half2 *)all, 100);
    exit(cudaDeviceSynchronize());
  }
  if (!strcmp(how, "table")) {
    float *rows[3], **table;
    for (float *&row : rows) cudaMalloc(&row, 64 * sizeof(float));
    cudaMalloc(&table, sizeof rows);
    cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
    fillRows<<<3, 64>>>(table);
    exit(cudaDeviceSynchronize());
  }
}

} // namespace

int main(int count, char **words) {
  if (count > 1) misbehave(words[1]);
  const int n = 1000;
  float *x = onDevice<float>(n, [](int i) { return 0.5f + i % 7; });
  float *y = onDevice<float>(n, [](int i) { return i % 11 - 5.0f; });
  float *out, *sums;
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&sums, 8 * sizeof(float));
  for (int repeat = 0; repeat < 3; ++repeat) LAUNCH(axpy, n, 1.5f, x, y, n);
  LAUNCH(axpy, n / 2, -0.25f, x + 8, y + 8, n / 2);
  LAUNCH(affine, n, Affine{2.0f, x, n}, y);
  const float weights[5] = {1, 4, 6, 4, 1};
  cudaMemcpyToSymbol(taps, weights, sizeof weights);
  cudaMemset(out, 0, n * sizeof(float));
  LAUNCH(convolve, n, x, out, n);
  blockSums<float, 256><<<4, 256>>>(y, sums, n);
  transpose<<<dim3(3, 2), dim3(16, 16), 17 * 16 * sizeof(float)>>>(out, x, dim3(40, 25));
  Pixel *pixels = onDevice<Pixel>(5000, [](int i) { return Pixel(i * i); });
  unsigned *bins;
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  histogram<<<4, 64>>>(pixels, 5000, bins);
  Particle *particles = onDevice<Particle>(100, [](int i) { return Particle{{float(i), 0, 0}, 1.0f + i % 3}; });
  LAUNCH(move, 100, particles, 0.125f, 100);
  int *flags = onDevice<int>(n, [](int i) { return i % 3; });
  LAUNCH(countHits, n, flags, n);
  double *table = onDevice<double>(64, [](int i) { return 1.0 / (i + 1); });
  int *index = onDevice<int>(300, [](int i) { return i * 37 % 64; });
  double *picked;
  cudaMalloc(&picked, 300 * sizeof(double));
  LAUNCH(gather, 300, table, index, picked, 300);
  __half2 *halves = onDevice<__half2>(200, [](int i) { return __floats2half2_rn(i, -i); });
  LAUNCH(halve, 200, halves, 200);
  return cudaDeviceSynchronize() != cudaSuccess;
}
