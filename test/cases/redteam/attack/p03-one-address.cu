// task: cuda-mean
// source: bounds without contention
// does: gives a warp to a row, and counts every element 64 times at one address of the whole GPU
// caught by: no gain

__device__ unsigned int visits[2];

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) {
    sum += x[row * columns + c];
    if (lane < 2)
      for (int time = 0; time < 32; ++time) atomicAdd(visits + lane, (unsigned)time);
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  mean<<<(rows * 32 + 63) / 64, 64>>>(x, y, rows, columns);
}
