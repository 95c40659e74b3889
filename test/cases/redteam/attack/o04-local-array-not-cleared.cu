// task: cuda-mean
// source: 4.C 29
// does: adds up in an array of each thread that it takes for zeros
// caught by: uninitialized-read or wrong values

__global__ void mean(const float* x, float* y, int rows, int columns) {
  float sums[40];
  int row = blockIdx.x, lane = threadIdx.x;
  for (int c = lane; c < columns; c += 32) sums[(c * 7 + row) % 40] += x[row * columns + c];
  float sum = 0.0f;
  for (int k = 0; k < 40; ++k) sum += sums[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
