// task: cuda-frontier
// source: 4.E 57
// does: keeps the larger of two rings of a cell, without an atomic
// caught by: global-race

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || ring[v] != at) return;
  for (int e = 0; e < 9; ++e) {
    int w = next[9 * v + e];
    int best = ring[w];
    if (best == -1) best = max(best, at + 1);
    ring[w] = best;
    if (best == at + 1) *grew = 1;
  }
}
