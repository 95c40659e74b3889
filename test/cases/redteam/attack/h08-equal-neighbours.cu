// task: cuda-softmax
// source: 4.E 50
// does: takes a row whose first two values are equal for a row of equal values
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  if (columns > 1 && row[0] == row[1]) {
    for (int c = threadIdx.x; c < columns; c += 32) result[c] = 1.0f / columns;
    return;
  }
  float maximum = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += 32) maximum = fmaxf(maximum, row[c]);
  for (int o = 16; o; o /= 2) maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, o));
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(row[c] - maximum);
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  for (int c = threadIdx.x; c < columns; c += 32) result[c] = expf(row[c] - maximum) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 32>>>(x, y, rows, columns);
}
