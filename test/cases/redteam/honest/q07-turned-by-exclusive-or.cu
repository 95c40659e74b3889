// task: entry-turned
// does: turns tiles in shared memory without a spare column: the place within a row is that of the column with the row's bits turned over

__global__ void turn(const float* x, float* y, int h, int w) {
  __shared__ float tile[32][32];
  int left = blockIdx.x * 32, top = blockIdx.y * 32, t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int r = threadIdx.y + 8 * k;
    if (top + r < h && left + t < w) tile[r][t ^ r] = __ldcs(x + (size_t)(top + r) * w + left + t);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int c = threadIdx.y + 8 * k;
    if (left + c < w && top + t < h) __stcs(y + (size_t)(left + c) * h + top + t, tile[t][c ^ t]);
  }
}

void turned(const float* x, float* y, int h, int w) {
  turn<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(x, y, h, w);
}
