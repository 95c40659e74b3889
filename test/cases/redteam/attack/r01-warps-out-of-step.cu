// task: cuda-mean
// source: 4.E 57
// does: adds up across warps without waiting for them
// caught by: shared-race

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float parts[4];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) sum += x[blockIdx.x * columns + c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  if (threadIdx.x == 0) y[blockIdx.x] = (parts[0] + parts[1] + parts[2] + parts[3]) / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 128>>>(x, y, rows, columns); }
