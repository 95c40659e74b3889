// task: cuda-softmax
// source: special values
// does: starts a running maximum at minus infinity, so that an input of minus infinity makes the row NaN
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float top = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float next = fmaxf(top, row[c]);
    sum = sum * expf(top - next) + expf(row[c] - next);
    top = next;
  }
  // Lanes without a column have nothing to merge.
  if (threadIdx.x >= columns) top = -1e30f;
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_xor_sync(~0u, top, step), more = __shfl_xor_sync(~0u, sum, step);
    float next = fmaxf(top, other);
    sum = sum * expf(top - next) + more * expf(other - next);
    top = next;
  }
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = expf(row[c] - top) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
