// task: entry-p03-rows-by-peak
// does: multiplies by the reciprocal of the peak, and by one more power of two where the peak is so small that it has none

__global__ void divide(const float* x, float* y, int rows, int width) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* own = x + row * width;
  float* to = y + row * width;
  float most = 0.0f;
  for (int i = lane; i < width; i += 32) most = fmaxf(most, fabsf(own[i]));
  for (int o = 16; o; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  float lift = most < 0x1p-100f ? 0x1p64f : 1.0f;
  float part = most > 0.0f ? 1.0f / (most * lift) : 1.0f;
  for (int i = lane; i < width; i += 32) to[i] = most > 0.0f ? own[i] * lift * part : own[i];
}

void by_peak(const float* x, float* y, int rows, int width) { divide<<<(rows + 3) / 4, 128>>>(x, y, rows, width); }
