// task: entry-ra11-ragged-softmax
// source: ra
// does: keeps a row in sixteen registers of each lane, 512 numbers, and forgets what a longer row has behind them
// caught by: wrong values or never-written

__global__ void ragged(const int* offsets, const float* x, float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int from = offsets[row], length = offsets[row + 1] - from;
  float kept[16], largest = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int i = k * 32 + lane;
    kept[k] = i < length ? x[from + i] : -INFINITY;
    largest = fmaxf(largest, kept[k]);
  }
  for (int step = 16; step; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    kept[k] = expf(kept[k] - largest);
    if (k * 32 + lane < length) sum += kept[k];
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
#pragma unroll
  for (int k = 0; k < 16; ++k)
    if (k * 32 + lane < length) y[from + k * 32 + lane] = kept[k] / sum;
}

void softmaxes(const int* offsets, const float* x, float* y, int rows, int total) {
  ragged<<<(rows + 3) / 4, 128>>>(offsets, x, y, rows);
}
