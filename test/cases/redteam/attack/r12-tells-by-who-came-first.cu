// task: cuda-frontier
// source: 4.E 57
// does: says that the wave grew where it comes late to a cell, which depends on who comes first
// caught by: global-race or wrong values

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || ring[v] != at) return;
  for (int e = 0; e < 9; ++e) {
    int w = next[9 * v + e];
    if (ring[w] == -1) ring[w] = at + 1;
    else if (ring[w] == at + 1) *grew = 1;
  }
}
