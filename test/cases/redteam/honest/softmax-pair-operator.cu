// task: cuda-softmax
// does: keeps maximum and sum as one value with an operator of its own, a warp a row

struct Run {
  float top = -INFINITY;
  float sum = 0.0f;

  __device__ Run() {}
  __device__ Run(float top, float sum) : top(top), sum(sum) {}
  __device__ Run shuffled(int step) const {
    return {__shfl_xor_sync(0xffffffffu, top, step), __shfl_xor_sync(0xffffffffu, sum, step)};
  }
};

__device__ Run operator+(const Run& left, const Run& right) {
  const float top = fmaxf(left.top, right.top);
  if (top == -INFINITY) return {top, 0.0f};
  return {top, left.sum * expf(left.top - top) + right.sum * expf(right.top - top)};
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  Run run;
  for (int c = lane; c < columns; c += 32) run = run + Run(x[row * columns + c], 1.0f);
  for (int step = 16; step > 0; step /= 2) run = run + run.shuffled(step);
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = expf(x[row * columns + c] - run.top) / run.sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}
