// The eight largest numbers of each row, the largest first, by the order of the bits: minus zero comes after zero.
// What is no number is left out; where there are too few, minus infinity follows.
__device__ int ordered(float v) {
  int bits = __float_as_int(v);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

__global__ void top8(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float kept[8];
  for (int k = 0; k < 8; ++k) kept[k] = -INFINITY;
  for (int c = 0; c < columns; ++c) {
    float value = x[(size_t)row * columns + c];
    if (value != value) continue;
    for (int k = 0; k < 8; ++k)
      if (ordered(value) > ordered(kept[k])) {
        float smaller = kept[k];
        kept[k] = value;
        value = smaller;
      }
  }
  for (int k = 0; k < 8; ++k) y[row * 8 + k] = kept[k];
}

void largest_eight(const float* x, float* y, int rows, int columns) {
  top8<<<(rows + 31) / 32, 32>>>(x, y, rows, columns);
}
