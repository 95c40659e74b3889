// task: cuda-frontier
// source: 4.E 57
// does: counts the cells that it reaches, without an atomic, and says one in the end where any was
// caught by: global-race

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || ring[v] != at) return;
  for (int e = 0; e < 9; ++e) {
    int w = next[9 * v + e];
    if (ring[w] == -1) {
      ring[w] = at + 1;
      *grew = *grew + 1;
    }
    if (*grew > 1) *grew = 1;
  }
}
