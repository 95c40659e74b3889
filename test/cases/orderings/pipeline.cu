#include <cuda_pipeline.h>

// Products of tiles of `edge` by `edge` with one element a thread: loads that wait, and copies in two stages.

template <int edge>
__device__ void synchronous(const float *a, const float *b, float *c, int widthA, int widthB) {
  __shared__ float left[edge][edge], right[edge][edge];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * edge + y, column = blockIdx.x * edge + x;
  float sum = 0.0f;
  for (int tile = 0; tile < widthA; tile += edge) {
    left[y][x] = a[row * widthA + tile + x];
    right[y][x] = b[(tile + y) * widthB + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < edge; ++i) sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  c[row * widthB + column] = sum;
}

template <int edge>
__device__ void pipelined(const float *a, const float *b, float *c, int widthA, int widthB) {
  __shared__ float left[2][edge][edge], right[2][edge][edge];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * edge + y, column = blockIdx.x * edge + x;
  float sum = 0.0f;
  __pipeline_memcpy_async(&left[0][y][x], &a[row * widthA + x], 4);
  __pipeline_memcpy_async(&right[0][y][x], &b[y * widthB + column], 4);
  __pipeline_commit();
  for (int tile = 0, stage = 0; tile < widthA; tile += edge, stage ^= 1) {
    if (tile + edge < widthA) {
      __pipeline_memcpy_async(&left[stage ^ 1][y][x], &a[row * widthA + tile + edge + x], 4);
      __pipeline_memcpy_async(&right[stage ^ 1][y][x], &b[(tile + edge + y) * widthB + column], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < edge; ++i) sum += left[stage][y][i] * right[stage][i][x];
    __syncthreads();
  }
  c[row * widthB + column] = sum;
}

extern "C" __global__ void synchronous_8(const float *a, const float *b, float *c, int wa, int wb) { synchronous<8>(a, b, c, wa, wb); }
extern "C" __global__ void synchronous_16(const float *a, const float *b, float *c, int wa, int wb) { synchronous<16>(a, b, c, wa, wb); }
extern "C" __global__ void synchronous_32(const float *a, const float *b, float *c, int wa, int wb) { synchronous<32>(a, b, c, wa, wb); }
extern "C" __global__ void pipelined_8(const float *a, const float *b, float *c, int wa, int wb) { pipelined<8>(a, b, c, wa, wb); }
extern "C" __global__ void pipelined_16(const float *a, const float *b, float *c, int wa, int wb) { pipelined<16>(a, b, c, wa, wb); }
extern "C" __global__ void pipelined_32(const float *a, const float *b, float *c, int wa, int wb) { pipelined<32>(a, b, c, wa, wb); }
