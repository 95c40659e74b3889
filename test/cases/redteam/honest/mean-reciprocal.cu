// task: cuda-mean
// does: multiplies by the reciprocal, in fast arithmetic

__global__ void mean(const float* x, float* y, int rows, int columns) {
  float sum = 0.0f, share = __frcp_rn((float)columns);
  for (int c = threadIdx.x; c < columns; c += 32) sum = fmaf(x[blockIdx.x * columns + c], share, sum);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
