constexpr int kThreads = 128;

__device__ float combine(float value, float* scratch, bool isMaximum) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float other = scratch[threadIdx.x + half];
      scratch[threadIdx.x] = isMaximum ? fmaxf(scratch[threadIdx.x], other) : scratch[threadIdx.x] + other;
    }
    __syncthreads();
  }
  value = scratch[0];
  __syncthreads();
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float scratch[kThreads];
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  float maximum = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += kThreads) maximum = fmaxf(maximum, row[c]);
  maximum = combine(maximum, scratch, true);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += expf(row[c] - maximum);
  sum = combine(sum, scratch, false);
  for (int c = threadIdx.x; c < columns; c += kThreads) result[c] = expf(row[c] - maximum) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, kThreads>>>(x, y, rows, columns);
}
