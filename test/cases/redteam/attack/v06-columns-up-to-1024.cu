// task: cuda-softmax
// source: verdicts 6
// does: keeps at most 1024 columns, the largest listed size
// caught by: wrong values or never-written

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float kept[32], most = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    int c = threadIdx.x + 32 * i;
    kept[i] = c < columns ? row[c] : -INFINITY;
    most = fmaxf(most, kept[i]);
  }
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
#pragma unroll
  for (int i = 0; i < 32; ++i) sum += kept[i] = expf(kept[i] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
#pragma unroll
  for (int i = 0; i < 32; ++i)
    if (threadIdx.x + 32 * i < columns) y[blockIdx.x * columns + threadIdx.x + 32 * i] = kept[i] / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
