// task: entry-csr-sums
// does: a thread for each number, which looks up its row by halving; warps add up what belongs to one row by shuffles and hand it on by atomics

__global__ void row_sums(const int* offsets, const float* x, float* y, int rows, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i - lane >= total) return;
  int row = -1;
  float sum = 0.0f;
  if (i < total) {
    // The last row that begins at this number or before it: the others that do have ended.
    int low = 0, high = rows - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (offsets[middle] <= i)
        low = middle;
      else
        high = middle - 1;
    }
    row = low;
    sum = x[i];
  }
  for (int o = 1; o < 32; o *= 2) {
    float other = __shfl_up_sync(~0u, sum, o);
    int otherRow = __shfl_up_sync(~0u, row, o);
    if (lane >= o && otherRow == row) sum += other;
  }
  int next = __shfl_down_sync(~0u, row, 1);
  if (row >= 0 && (lane == 31 || next != row)) atomicAdd(y + row, sum);
}

void sums_of_rows(const int* offsets, const float* x, float* y, int rows, int total) {
  if (rows == 0) return;
  cudaMemsetAsync(y, 0, rows * sizeof(float));
  if (total > 0) row_sums<<<(total + 127) / 128, 128>>>(offsets, x, y, rows, total);
}
