//@case {"kernel": "center"}
__global__ void center(const float* x, const float* mean, float* y, long rows, int columns) {
  long row = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  long first = row * columns;
  for (int c = 0; c < columns; ++c) y[first + c] = x[first + c] - mean[row];  //@ instructions=40000
}

void run(const float* x, const float* mean, float* y, long rows, int columns) {
  center<<<(rows + 255) / 256, 256>>>(x, mean, y, rows, columns);
}
