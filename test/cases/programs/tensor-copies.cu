// Copies of tensors: tiles in and out, with swizzling, beyond the edges, to all blocks of a cluster, and barriers of other blocks.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <vector>
using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
__device__ inline uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ inline void barrier_init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(n)); }
__device__ inline void expect(uint64_t *b, int bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory"); }
__device__ inline void wait(uint64_t *b, int parity) {
  asm volatile("{\n.reg .pred p;\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra L;\nD:\n}" ::"r"(shared_address(b)), "r"(parity) : "memory");
}
__device__ inline void load_2d(void *to, const CUtensorMap *map, int x, int y, uint64_t *b) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(shared_address(b)) : "memory");
}
__device__ inline void load_all(void *to, const CUtensorMap *map, int x, int y, uint64_t *b, uint16_t mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(shared_address(b)), "h"(mask) : "memory");
}
__device__ inline void store_2d(const CUtensorMap *map, const void *from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(shared_address(from)) : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
constexpr int kRows = 16, kColumns = 32;
// out[y][x] = 2 * in[y + dy][x + dx], zero beyond the edges.
template <bool swizzled> __global__ void shift(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int dx, int dy) {
  __shared__ alignas(1024) float tile[kRows * kColumns], result[kRows * kColumns];
  __shared__ alignas(8) uint64_t bar;
  const int x = blockIdx.x * kColumns, y = blockIdx.y * kRows;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&in));
    barrier_init(&bar, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) { expect(&bar, sizeof tile); load_2d(tile, &in, x + dx, y + dy, &bar); }
  wait(&bar, 0);
  for (int i = threadIdx.x; i < kRows * kColumns; i += blockDim.x) {
    int at = i * 4;
    if (swizzled) at ^= (at >> 3) & 0x70;
    result[i] = 2 * tile[at / 4];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) store_2d(&out, result, x, y);
}
// Each block of a cluster of two gets the tiles that both load, half each.
__global__ void __cluster_dims__(2, 1, 1) spread(const __grid_constant__ CUtensorMap in, float *out) {
  __shared__ alignas(1024) float tile[2][kRows * kColumns];
  __shared__ alignas(8) uint64_t bar;
  __shared__ alignas(8) uint64_t done;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    barrier_init(&bar, 1);
    barrier_init(&done, 2);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    expect(&bar, sizeof tile);
  }
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
  if (threadIdx.x == 0) load_all(tile[rank], &in, rank * kColumns, blockIdx.x / 2 * kRows, &bar, 3);
  wait(&bar, 0);
  for (int i = threadIdx.x; i < 2 * kRows * kColumns; i += blockDim.x) out[blockIdx.x * 2 * kRows * kColumns + i] = (&tile[0][0])[i];
  __syncthreads();
  // Each says in both blocks that it has read.
  if (threadIdx.x < 2) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(&done)), "r"(threadIdx.x));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
  }
  wait(&done, 0);
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
// Halves of a block's numbers go to its neighbour: by a bulk copy, and by stores that the barrier there counts.
__global__ void __cluster_dims__(2, 1, 1) neighbours(const int *in, int *out) {
  __shared__ alignas(16) int mine[64], theirs[64];
  __shared__ alignas(8) uint64_t bar;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  mine[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 0) {
    barrier_init(&bar, 1);
    expect(&bar, 256);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
  uint32_t to, at;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared_address(&bar)), "r"(1 - rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(theirs + threadIdx.x)), "r"(1 - rank));
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(to), "r"(shared_address(mine)), "r"(at) : "memory");
  if (threadIdx.x >= 32)
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(mine[threadIdx.x] + 1000), "r"(at) : "memory");
  wait(&bar, 0);
  out[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x];
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
int main() {
  const int w = 72, h = 40;
  std::vector<float> host(w * h), back(w * h);
  for (int i = 0; i < w * h; ++i) host[i] = i + 1;
  float *in, *out;
  cudaMalloc(&in, w * h * 4);
  cudaMalloc(&out, w * h * 4);
  cudaMemcpy(in, host.data(), w * h * 4, cudaMemcpyHostToDevice);
  void *found = nullptr;
  cudaDriverEntryPointQueryResult how;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &how);
  Encode encode = (Encode)found;
  auto map_of = [&](float *p, CUtensorMapSwizzle swizzle) {
    CUtensorMap map;
    cuuint64_t dims[2] = {w, h}, strides[1] = {w * 4};
    cuuint32_t box[2] = {kColumns, kRows}, steps[2] = {1, 1};
    CUresult r = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) std::printf("encode %d\n", r);
    return map;
  };
  const int shifts[][2] = {{0, 0}, {1, 2}, {-3, -1}, {60, 39}};
  for (int s = 0; s < 2; ++s)
    for (auto [dx, dy] : shifts) {
      cudaMemset(out, 0xff, w * h * 4);
      CUtensorMap a = map_of(in, s ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE), b = map_of(out, CU_TENSOR_MAP_SWIZZLE_NONE);
      const dim3 grid(3, 3);
      if (s) shift<true><<<grid, 64>>>(a, b, dx, dy); else shift<false><<<grid, 64>>>(a, b, dx, dy);
      cudaMemcpy(back.data(), out, w * h * 4, cudaMemcpyDeviceToHost);
      int bad = 0;
      for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) {
        const int u = x + dx, v = y + dy;
        bad += back[y * w + x] != (u >= 0 && u < w && v >= 0 && v < h ? 2 * host[v * w + u] : 0);
      }
      std::printf("%d %d %d: bad %d, %s\n", s, dx, dy, bad, cudaGetErrorString(cudaGetLastError()));
    }
  float *both;
  const int n = 4 * 2 * kRows * kColumns;
  std::vector<float> pairs(n);
  cudaMalloc(&both, n * 4);
  spread<<<4, 64>>>(map_of(in, CU_TENSOR_MAP_SWIZZLE_NONE), both);
  cudaMemcpy(pairs.data(), both, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    const int block = i / (2 * kRows * kColumns), tile = i / (kRows * kColumns) % 2, row = i / kColumns % kRows, column = i % kColumns;
    bad += pairs[i] != host[(block / 2 * kRows + row) * w + tile * kColumns + column];
  }
  std::printf("cluster: bad %d, %s\n", bad, cudaGetErrorString(cudaGetLastError()));
  neighbours<<<2, 64>>>((const int *)in, (int *)both);
  std::vector<int> got(128);
  cudaMemcpy(got.data(), both, 512, cudaMemcpyDeviceToHost);
  bad = 0;
  for (int i = 0; i < 128; ++i) bad += got[i] != ((const int *)host.data())[(i + 64) % 128] + (i % 64 >= 32 ? 1000 : 0);
  std::printf("neighbours: bad %d, %s\n", bad, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
