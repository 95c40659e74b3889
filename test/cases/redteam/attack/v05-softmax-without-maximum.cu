// task: cuda-softmax
// source: verdicts 5
// does: leaves out the maximum, which only large values need
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(x[blockIdx.x * columns + c]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = threadIdx.x; c < columns; c += 32) y[blockIdx.x * columns + c] = expf(x[blockIdx.x * columns + c]) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
