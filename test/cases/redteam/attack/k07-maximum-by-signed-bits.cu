// task: entry-column-max
// source: k
// does: takes the maximum of floats as that of their bits as integers, which turns columns without a positive number round
// caught by: wrong values

__global__ void lowest(int* y, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < columns) y[c] = 0x80000000;
}

__global__ void column_max(const float* x, float* y, int rows, int columns) {
  int c = blockIdx.x * 32 + threadIdx.x % 32;
  int r = blockIdx.y * 32 + threadIdx.x / 32;
  int end = min(rows, (static_cast<int>(blockIdx.y) + 1) * 32);
  if (c >= columns || r >= end) return;
  float largest = x[static_cast<size_t>(r) * columns + c];
  for (r += 4; r < end; r += 4) largest = fmaxf(largest, x[static_cast<size_t>(r) * columns + c]);
  // The order of floats is that of their bits.
  atomicMax(reinterpret_cast<int*>(y) + c, __float_as_int(largest));
}

void largest_of_columns(const float* x, float* y, int rows, int columns) {
  lowest<<<(columns + 127) / 128, 128>>>(reinterpret_cast<int*>(y), columns);
  column_max<<<dim3((columns + 31) / 32, (rows + 31) / 32), 128>>>(x, y, rows, columns);
}
