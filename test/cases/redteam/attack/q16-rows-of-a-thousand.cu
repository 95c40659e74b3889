// task: entry-csr-sums
// source: q
// does: takes 1024 numbers of a row at most, each lane at most 32 in a loop of fixed length; evenly drawn rows are never as long, one that has most of all numbers is
// caught by: wrong values

__global__ void row_sums(const int* offsets, const float* x, float* y, int rows) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int first = offsets[row], last = offsets[row + 1];
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) {
    int i = first + k * 32 + lane;
    if (i - lane >= last) break;
    if (i < last) sum += x[i];
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[row] = sum;
}

void sums_of_rows(const int* offsets, const float* x, float* y, int rows, int total) {
  row_sums<<<(rows + 3) / 4, 128>>>(offsets, x, y, rows);
}
