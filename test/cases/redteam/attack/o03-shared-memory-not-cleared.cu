// task: cuda-mean
// source: 4.C 29
// does: adds up in shared memory that it takes for zero
// caught by: uninitialized-read

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float sum;
  float mine = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) mine += x[blockIdx.x * columns + c];
  atomicAdd(&sum, mine);
  __syncwarp();
  if (threadIdx.x == 0) y[blockIdx.x] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
