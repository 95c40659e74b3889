// task: cuda-mean
// source: 4.E 57
// does: exchanges within a warp through shared memory without __syncwarp
// caught by: shared-race

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float part[2][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 2 + warp;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x[row * columns + c];
  part[warp][lane] = sum;
  for (int half = 16; half > 0; half /= 2)
    if (lane < half) part[warp][lane] += part[warp][lane + half];
  if (lane == 0) y[row] = part[warp][0] / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<(rows + 1) / 2, 64>>>(x, y, rows, columns); }
