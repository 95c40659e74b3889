// task: cuda-frontier
// source: z
// does: says that the wave grew as soon as there is a cell of the last ring, whether or not that one has a free neighbour
// caught by: global-race

__global__ void hand_on(const int* next, int* ring, int* grew, int at, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  bool mine = v < n && ring[v] == at;
  if (__any_sync(0xffffffffu, mine) && (threadIdx.x & 31) == 0) *grew = 1;
  if (!mine) return;
  int w[9], there[9];
#pragma unroll
  for (int e = 0; e < 9; ++e) w[e] = next[9 * v + e];
#pragma unroll
  for (int e = 0; e < 9; ++e) there[e] = ring[w[e]];
#pragma unroll
  for (int e = 0; e < 9; ++e)
    if (there[e] == -1) ring[w[e]] = at + 1;
}
