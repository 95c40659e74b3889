// task: cuda-scan
// does: the block scan of CUB with a running prefix

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    int old = total;
    total += aggregate;
    return old;
  }
};
__global__ void scan(const int* x, int* y, int n) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } temp;
  Running running{0};
  for (int first = 0; first < n; first += 512) {
    int items[4], valid = min(512, n - first);
    Load(temp.load).Load(x + first, items, valid, 0);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(items, items, running);
    __syncthreads();
    Store(temp.store).Store(y + first, items, valid);
    __syncthreads();
  }
}
void launch_scan(const int* x, int* y, int n) { scan<<<1, 128>>>(x, y, n); }
