// Less common instructions in kernels as people write them. Compiled by the test with nvcc -ptx -arch=sm_80 -lineinfo.
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;
namespace cg = cooperative_groups;

template <typename LayoutA, typename LayoutB>
__device__ void product(const half* a, const half* b, float* c, half* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LayoutB> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fd;
  wmma::fill_fragment(fc, 1.0f);
  wmma::load_matrix_sync(fd, d, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::mma_sync(fd, fa, fb, fd);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(d, fd, 16, wmma::mem_col_major);
}

extern "C" __global__ void wmma_row_col(const half* a, const half* b, float* c, half* d) { product<wmma::row_major, wmma::col_major>(a, b, c, d); }
extern "C" __global__ void wmma_col_row(const half* a, const half* b, float* c, half* d) { product<wmma::col_major, wmma::row_major>(a, b, c, d); }

extern "C" __global__ void groups(const float* in, float* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  float sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<float>());
  if (tile.thread_rank() == 0) out[block.thread_rank() / 8] = sum;
}

extern "C" __global__ void copies(const float4* in, float4* out) {
  __shared__ float4 buffer[64];
  __pipeline_memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = buffer[63 - threadIdx.x];
}

extern "C" __global__ void half_atomics(__half2* pair, __half* single, __nv_bfloat16* brain) {
  atomicAdd(pair, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(single, __float2half(0.25f));
  atomicAdd(brain, __float2bfloat16(1.0f));
}

extern "C" __global__ void counted_barriers(const int* in, int* out) {
  int positive = in[threadIdx.x] > 0;
  out[threadIdx.x] = __syncthreads_count(positive) * 4 + (__syncthreads_and(positive) ? 2 : 0) + (__syncthreads_or(positive) ? 1 : 0);
}

extern "C" __global__ void timed(long long* out) {
  long long start = clock64();
  __syncthreads();
  out[threadIdx.x] = clock64() - start;
}

extern "C" __global__ void asserted(const int* in, int* out) {
  assert(in[threadIdx.x] >= 0);
  out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void half_math(const __half2* in, __half2* out) {
  __half2 x = in[threadIdx.x];
  out[threadIdx.x] = h2exp2(x);
  out[32 + threadIdx.x] = h2sqrt(x);
  out[64 + threadIdx.x] = __h2div(x, __floats2half2_rn(3.0f, 7.0f));
}

// Tiles of several warps meet and mail each other in the part of shared memory that is reserved for the system.
extern "C" __global__ void wide_tiles(const int* x, int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int turned[256];
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<128>(block);
  unsigned i = block.thread_rank();
  turned[i] = cg::reduce(tile, x[i], cg::plus<int>());
  tile.sync();
  out[i] = turned[i ^ 127] + 1000 * tile.any(x[i] == 200) + 10000 * tile.meta_group_rank();
}
