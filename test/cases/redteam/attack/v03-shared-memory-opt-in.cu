// task: cuda-softmax
// source: verdicts 3
// does: uses 60 KiB of shared memory without allowing it
// caught by: did-not-run or invalid-launch

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  extern __shared__ float kept[];
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, kept[c] = row[c]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
  for (int c = threadIdx.x; c < columns; c += 32) sum += kept[c] = expf(kept[c] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = kept[c] / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32, 61440>>>(x, y, rows, columns); }
