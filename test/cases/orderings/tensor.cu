#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// C = A B in halves, row by row, with ever larger tiles on tensor units.

extern "C" __global__ void hgemm_naive(const half *a, const half *b, half *c, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  half sum = __float2half(0.0f);
  for (int i = 0; i < k; ++i) sum = __hadd(sum, __hmul(a[row * k + i], b[i * n + column]));
  c[row * n + column] = sum;
}

// One warp a block, one product of 16 by 16 by 16 at a time, operands from global memory.
extern "C" __global__ void hgemm_wmma(const half *a, const half *b, half *c, int n, int k) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, 0.0f);
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (int i = 0; i < k; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// Eight warps a block, tiles of 64 by 32 by 16 in shared memory, one product a warp.
extern "C" __global__ void hgemm_wmma_block(const half *a, const half *b, half *c, int n, int k) {
  __shared__ half left[64][16], right[16][32];
  int warp = threadIdx.x / 32, down = warp / 2, across = warp % 2;
  int leftRow = threadIdx.x / 4, leftColumn = threadIdx.x % 4 * 4;
  int rightRow = threadIdx.x / 16, rightColumn = threadIdx.x % 16 * 2;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    *(float2 *)&left[leftRow][leftColumn] = *(const float2 *)&a[(blockIdx.y * 64 + leftRow) * k + i + leftColumn];
    *(half2 *)&right[rightRow][rightColumn] = *(const half2 *)&b[(i + rightRow) * n + blockIdx.x * 32 + rightColumn];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> first;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> second;
    wmma::load_matrix_sync(first, &left[down * 16][0], 16);
    wmma::load_matrix_sync(second, &right[0][across * 16], 32);
    wmma::mma_sync(sum, first, second, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (blockIdx.y * 64 + down * 16) * n + blockIdx.x * 32 + across * 16, sum, n, wmma::mem_row_major);
}

// Eight warps a block, tiles of 128 by 128 by 16, two by four products a warp.
extern "C" __global__ void hgemm_wmma_warp(const half *a, const half *b, half *c, int n, int k) {
  __shared__ half left[128][16], right[16][128];
  int warp = threadIdx.x / 32, down = warp / 2, across = warp % 2;
  int leftRow = threadIdx.x / 2, leftColumn = threadIdx.x % 2 * 8;
  int rightRow = threadIdx.x / 16, rightColumn = threadIdx.x % 16 * 8;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sums[2][4];
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < 4; ++s) wmma::fill_fragment(sums[r][s], 0.0f);
  for (int i = 0; i < k; i += 16) {
    *(float4 *)&left[leftRow][leftColumn] = *(const float4 *)&a[(blockIdx.y * 128 + leftRow) * k + i + leftColumn];
    *(float4 *)&right[rightRow][rightColumn] = *(const float4 *)&b[(i + rightRow) * n + blockIdx.x * 128 + rightColumn];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> first[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> second[4];
    for (int r = 0; r < 2; ++r) wmma::load_matrix_sync(first[r], &left[down * 32 + r * 16][0], 16);
    for (int s = 0; s < 4; ++s) wmma::load_matrix_sync(second[s], &right[0][across * 64 + s * 16], 128);
    for (int r = 0; r < 2; ++r)
      for (int s = 0; s < 4; ++s) wmma::mma_sync(sums[r][s], first[r], second[s], sums[r][s]);
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < 4; ++s)
      wmma::store_matrix_sync(c + (blockIdx.y * 128 + down * 32 + r * 16) * n + blockIdx.x * 128 + across * 64 + s * 16, sums[r][s], n, wmma::mem_row_major);
}

// Products on registers only: eight independent sums a warp.
extern "C" __global__ void peak_fp16(float *out, int rounds) {
  unsigned a = threadIdx.x, b = 1;
  float sums[8][4] = {};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3]) : "r"(a), "r"(b));
  float total = 0;
  for (int i = 0; i < 8; ++i) total += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

extern "C" __global__ void peak_tf32(float *out, int rounds) {
  unsigned a = threadIdx.x, b = 1;
  float sums[8][4] = {};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3]) : "r"(a), "r"(b));
  float total = 0;
  for (int i = 0; i < 8; ++i) total += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

extern "C" __global__ void peak_int8(int *out, int rounds) {
  unsigned a = threadIdx.x, b = 1;
  int sums[8][4] = {};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};" : "+r"(sums[i][0]), "+r"(sums[i][1]), "+r"(sums[i][2]), "+r"(sums[i][3]) : "r"(a), "r"(b));
  int total = 0;
  for (int i = 0; i < 8; ++i) total += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
