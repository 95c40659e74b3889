// task: cuda-softmax
// does: one pass with a running maximum

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float next = fmaxf(most, row[c]);
    sum = sum * expf(most - next) + expf(row[c] - next);
    most = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    float otherMost = __shfl_xor_sync(0xffffffffu, most, step), otherSum = __shfl_xor_sync(0xffffffffu, sum, step);
    float next = fmaxf(most, otherMost);
    sum = (most == -INFINITY ? 0.0f : sum * expf(most - next)) + (otherMost == -INFINITY ? 0.0f : otherSum * expf(otherMost - next));
    most = next;
  }
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
