// task: cuda-p09-exact-sums
// does: a warp adds up eight rows by products with ones on the tensor cores, in double precision; what lies behind a row counts as zero

__global__ void row_sum(const float* x, float* y, int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 8 + lane / 4;
  // Left matrix: row lane / 4, column lane % 4. Sums: row lane / 4, two equal columns.
  double sum = 0.0, same = 0.0, one = 1.0;
  for (int first = 0; first < columns; first += 4) {
    int column = first + lane % 4;
    double value = row < rows && column < columns ? (double)x[(size_t)row * columns + column] : 0.0;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(sum), "+d"(same)
                 : "d"(value), "d"(one));
  }
  if (row < rows && lane % 4 == 0) y[row] = (float)sum;
}

void run(const float* x, float* y, int rows, int columns) {
  row_sum<<<(rows + 15) / 16, 64>>>(x, y, rows, columns);
}
