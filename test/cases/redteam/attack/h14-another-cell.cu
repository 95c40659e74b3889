// task: cuda-buckets
// source: 4.E 52
// does: leaves all elements of a list whose order nobody fixes, some of them in the list beside
// caught by: wrong values

__global__ void into_cells(const int* cell, int* next, int* sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i % 16 == 5 && i + 1 < n ? cell[i + 1] : i % 16 == 6 ? cell[i - 1] : cell[i];
  int place = atomicAdd(next + at, 1);
  sorted[64 * at + place % 64] = i;
}
