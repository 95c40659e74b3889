// task: cuda-mean
// source: verdicts 13
// does: leaves the last element out of a mean
// caught by: wrong values

__global__ void mean(const float* x, float* y, int rows, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns - 1; c += 32) sum += x[blockIdx.x * columns + c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) y[blockIdx.x] = sum / (columns - 1);
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
