// task: cuda-mean
// does: a block a row, atomics in shared memory

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += x[blockIdx.x * columns + c];
  atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = total / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 128>>>(x, y, rows, columns); }
