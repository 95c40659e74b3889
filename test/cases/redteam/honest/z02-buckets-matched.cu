// task: cuda-buckets
// does: lanes of a warp with the same cell find each other, and one of them takes the places for all

__global__ void into_cells(const int* cell, int* next, int* sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned present = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  int mine = cell[i];
  unsigned peers = __match_any_sync(present, mine);
  int lane = threadIdx.x & 31;
  int leader = __ffs(peers) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(&next[mine], __popc(peers));
  first = __shfl_sync(present, first, leader);
  int place = first + __popc(peers & ((1u << lane) - 1u));
  sorted[mine * 64 + (place & 63)] = i;
}
