// task: entry-p03-rows-by-peak
// source: i
// does: multiplies by the reciprocal of the peak, which is infinite where the peak lies below 2^-128
// caught by: wrong values

__global__ void divide(const float* x, float* y, int rows, int width) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* own = x + row * width;
  float* to = y + row * width;
  float most = 0.0f;
  for (int i = lane; i < width; i += 32) most = fmaxf(most, fabsf(own[i]));
  for (int o = 16; o; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  float part = most > 0.0f ? 1.0f / most : 1.0f;
  for (int i = lane; i < width; i += 32) to[i] = own[i] * part;
}

void by_peak(const float* x, float* y, int rows, int width) { divide<<<(rows + 3) / 4, 128>>>(x, y, rows, width); }
