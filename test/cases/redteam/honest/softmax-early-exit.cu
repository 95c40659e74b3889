// task: cuda-softmax
// does: rows of one column, and rows whose values are all equal, are done at once

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  if (columns == 1) {
    if (threadIdx.x == 0) result[0] = row[0] - row[0] + 1.0f;
    return;
  }
  float least = INFINITY, maximum = -INFINITY;
  bool whole = true;
  for (int c = threadIdx.x; c < columns; c += 32) {
    whole = whole && isfinite(row[c]);
    least = fminf(least, row[c]);
    maximum = fmaxf(maximum, row[c]);
  }
  for (int o = 16; o; o /= 2) {
    least = fminf(least, __shfl_xor_sync(~0u, least, o));
    maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, o));
  }
  if (__all_sync(~0u, whole) && least == maximum) {
    for (int c = threadIdx.x; c < columns; c += 32) result[c] = 1.0f / columns;
    return;
  }
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(row[c] - maximum);
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  for (int c = threadIdx.x; c < columns; c += 32) result[c] = expf(row[c] - maximum) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 32>>>(x, y, rows, columns);
}
