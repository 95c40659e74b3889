// task: cuda-frontier
// does: atomic references of the C++ library, the nine neighbours by lanes in turns, and one flag a block by a voting barrier

#include <cuda/atomic>

using Cell = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int first = blockIdx.x * blockDim.x;
  bool reached = false;
  for (int task = threadIdx.x; task < 9 * (int)blockDim.x; task += blockDim.x) {
    int v = first + task / 9;
    if (v >= n || Cell(ring[v]).load(cuda::memory_order_relaxed) != at) continue;
    int free = -1;
    Cell neighbour(ring[next[9 * first + task]]);
    reached |= neighbour.compare_exchange_strong(free, at + 1, cuda::memory_order_relaxed);
  }
  if (__syncthreads_or(reached) && threadIdx.x == 0) Cell(*grew).store(1, cuda::memory_order_relaxed);
}
