// task: cuda-softmax
// does: a warp a row

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, row[c]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
  for (int c = threadIdx.x; c < columns; c += 32) sum += __expf(row[c] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = __expf(row[c] - most) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
