// task: cuda-buckets
// does: takes its particles from the last to the first, so that cells have them in another order

__global__ void into_cells(const int* cell, int* next, int* sorted, int n) {
  int i = n - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 0) return;
  int own = cell[i];
  sorted[64 * own + atomicAdd(next + own, 1) % 64] = i;
}
