// task: entry-p03-rows-by-peak
// source: s
// does: puts the rows into the second dimension of the grid, which holds 65535, so that more rows start no kernel at all and nobody is told
// caught by: invalid-launch

__global__ void divide(const float* x, float* y, int width) {
  const float* own = x + (size_t)blockIdx.y * width;
  float* to = y + (size_t)blockIdx.y * width;
  float most = 0.0f;
  for (int i = threadIdx.x; i < width; i += 32) most = fmaxf(most, fabsf(own[i]));
  for (int o = 16; o; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  for (int i = threadIdx.x; i < width; i += 32) to[i] = most > 0.0f ? own[i] / most : own[i];
}

void by_peak(const float* x, float* y, int rows, int width) { divide<<<dim3(1, rows), 32>>>(x, y, width); }
