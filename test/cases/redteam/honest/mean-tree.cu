// task: cuda-mean
// does: a tree in shared memory, its last warp without barriers of the block

template <unsigned kThreads>
__global__ void mean(const float* x, float* y, int rows, int columns) {
  extern __shared__ float part[];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x[blockIdx.x * columns + c];
  part[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned half = kThreads / 2; half >= 32; half >>= 1) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x >= 32) return;
  sum = part[threadIdx.x];
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) y[blockIdx.x] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  mean<256><<<rows, 256, 256 * sizeof(float)>>>(x, y, rows, columns);
}
