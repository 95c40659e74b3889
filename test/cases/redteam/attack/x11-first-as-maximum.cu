// task: cuda-softmax
// source: verdicts 5
// does: takes the first element of a row for its maximum, which is right as long as no other is far above it
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = x + row * columns;
  float* to = y + row * columns;
  float first = from[0];
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += expf(from[c] - first);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  float scale = 1.0f / sum;
  for (int c = lane; c < columns; c += 32) to[c] = expf(from[c] - first) * scale;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}
