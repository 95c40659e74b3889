// task: cuda-frontier
// does: hands on the ring that it has found, which it loads again

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || ring[v] != at) return;
  for (int e = 0; e < 9; ++e) {
    int w = next[9 * v + e];
    if (ring[w] == -1) {
      ring[w] = ring[v] + 1;
      *grew = 1;
    }
  }
}
