// task: entry-csr-sums
// source: n
// does: marks where each row begins, and where the last rows have no numbers, marks the place behind the scratch memory's end
// caught by: out-of-bounds

__global__ void mark(const int* offsets, int* begins, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) atomicAdd(begins + offsets[row], 1);
}

__global__ void row_sums(const int* offsets, const int* begins, const float* x, float* y, int rows, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = i - lane;
  if (first >= total) return;
  // The row of the number before this warp's, and from there on a row more for each mark.
  int low = 0, high = rows;
  while (low < high) {
    int middle = (low + high) / 2;
    if (offsets[middle] < first)
      low = middle + 1;
    else
      high = middle;
  }
  int row = i < total ? begins[i] : 0;
  float sum = i < total ? x[i] : 0.0f;
  for (int o = 1; o < 32; o *= 2) {
    int other = __shfl_up_sync(~0u, row, o);
    if (lane >= o) row += other;
  }
  row += low - 1;
  if (i >= total) row = rows;
  for (int o = 1; o < 32; o *= 2) {
    float other = __shfl_up_sync(~0u, sum, o);
    int otherRow = __shfl_up_sync(~0u, row, o);
    if (lane >= o && otherRow == row) sum += other;
  }
  int next = __shfl_down_sync(~0u, row, 1);
  if (row < rows && (lane == 31 || next != row)) atomicAdd(y + row, sum);
}

void sums_of_rows(const int* offsets, const float* x, float* y, int rows, int total) {
  cudaMemsetAsync(y, 0, rows * sizeof(float));
  if (total == 0) return;
  int* begins;
  cudaMalloc(&begins, total * sizeof(int));
  cudaMemsetAsync(begins, 0, total * sizeof(int));
  mark<<<(rows + 127) / 128, 128>>>(offsets, begins, rows);
  row_sums<<<(total + 127) / 128, 128>>>(offsets, begins, x, y, rows, total);
  cudaFree(begins);
}
