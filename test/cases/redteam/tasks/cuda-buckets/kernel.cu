// Puts the numbers of particles behind the start of their cells; within a cell in any order.
__global__ void into_cells(const int* cell, int* next, int* sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int place = atomicAdd(next + cell[i], 1);
  sorted[64 * cell[i] + place % 64] = i;
}
