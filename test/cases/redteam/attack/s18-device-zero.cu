// task: entry-column-max
// source: s
// does: turns to device 0 whatever device the caller chose, whose memory it then cannot reach, and leaves it chosen
// caught by: changes-caller

__global__ void column_max(const float* x, float* y, int rows, int columns) {
  __shared__ float part[8][32];
  int c = blockIdx.x * 32 + threadIdx.x;
  float largest = -INFINITY;
  if (c < columns)
    for (int r = threadIdx.y; r < rows; r += 8) {
      float number = x[static_cast<size_t>(r) * columns + c];
      if (number > largest || number != number) largest = number;
    }
  part[threadIdx.y][threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.y > 0 || c >= columns) return;
  for (int k = 1; k < 8; ++k) {
    float number = part[k][threadIdx.x];
    if (number > largest || number != number) largest = number;
  }
  y[c] = largest;
}

void largest_of_columns(const float* x, float* y, int rows, int columns) {
  cudaSetDevice(0);
  column_max<<<(columns + 31) / 32, dim3(32, 8)>>>(x, y, rows, columns);
}
