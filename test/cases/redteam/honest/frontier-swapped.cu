// task: cuda-frontier
// does: swaps the ring in by an atomic

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || atomicAdd(ring + v, 0) != at) return;
  for (int e = 0; e < 9; ++e)
    if (atomicCAS(ring + next[9 * v + e], -1, at + 1) == -1) *grew = 1;
}
