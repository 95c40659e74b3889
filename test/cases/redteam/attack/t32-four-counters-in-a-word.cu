// task: entry-t32-bright
// source: t
// does: counts what lies above four bounds in the bytes of a word, which holds what few numbers of random rows do; a bright row has more than 255
// caught by: wrong values

__global__ void above(const float* __restrict__ x, const float* __restrict__ bounds, int* __restrict__ counts, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float a = bounds[0], b = bounds[1], c = bounds[2], d = bounds[3];
  unsigned four = 0;
  for (int i = lane; i < columns; i += 32) {
    float value = x[(size_t)row * columns + i];
    four += (value > a) | (value > b) << 8 | (value > c) << 16 | (value > d) << 24;
  }
  for (int step = 16; step; step /= 2) four += __shfl_xor_sync(~0u, four, step);
  if (lane < 4) counts[4 * row + lane] = four >> 8 * lane & 255;
}

void bright(const float* x, const float* bounds, int* counts, int rows, int columns) {
  above<<<(rows + 3) / 4, 128>>>(x, bounds, counts, rows, columns);
}
