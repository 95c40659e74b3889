// task: cuda-softmax
// does: powers of two with the logarithm folded in, a warp a row

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  constexpr float kLog2E = 1.4426950408889634f;
  const float* row = x + blockIdx.x * columns;
  float maximum = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) maximum = fmaxf(maximum, row[c]);
  for (int o = 16; o; o /= 2) maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, o));
  for (int c = threadIdx.x; c < columns; c += 32) sum += exp2f((row[c] - maximum) * kLog2E);
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  float scale = 1.0f / sum;
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = exp2f((row[c] - maximum) * kLog2E) * scale;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 32>>>(x, y, rows, columns);
}
