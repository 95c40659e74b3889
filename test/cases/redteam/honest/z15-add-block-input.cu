// task: cuda-add
// does: loads and stores tiles by CUB, turned round through shared memory, with a count of what is there in the last one

#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

constexpr int kThreads = 64, kItems = 5;

__global__ void add(const float* a, const float* b, float* out, int n) {
  using Load = cub::BlockLoad<float, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } scratch;
  int first = blockIdx.x * kThreads * kItems, there = min(n - first, kThreads * kItems);
  float left[kItems], right[kItems];
  Load(scratch.load).Load(a + first, left, there, 0.0f);
  __syncthreads();
  Load(scratch.load).Load(b + first, right, there, 0.0f);
  __syncthreads();
#pragma unroll
  for (int item = 0; item < kItems; ++item) left[item] += right[item];
  Store(scratch.store).Store(out + first, left, there);
}

void launch_add(const float* a, const float* b, float* out, int n) {
  constexpr int tile = kThreads * kItems;
  add<<<(n + tile - 1) / tile, kThreads>>>(a, b, out, n);
}
