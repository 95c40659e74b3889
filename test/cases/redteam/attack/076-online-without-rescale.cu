// task: cuda-softmax
// source: 11.1 76
// does: keeps a running maximum and forgets to scale the sum when it rises
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    most = fmaxf(most, row[c]);
    sum += expf(row[c] - most);
  }
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, most, step), more = __shfl_xor_sync(0xffffffffu, sum, step);
    float both = fmaxf(most, other);
    if (both > -INFINITY) sum = sum * expf(most - both) + more * expf(other - both);
    most = both;
  }
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
