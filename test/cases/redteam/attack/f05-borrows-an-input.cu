// task: cuda-rms
// source: 4.E 48
// does: keeps sums in its input while it runs, and puts back what was there
// caught by: read-only-write or global-race

__global__ void rms(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x, lane = threadIdx.x;
  float* mine = const_cast<float*>(x) + row * columns;
  float first = mine[0], squares = 0.0f;
  for (int c = lane; c < columns; c += 32) squares += mine[c] * mine[c];
  __syncwarp();
  if (lane == 0) mine[0] = 0.0f;
  __syncwarp();
  atomicAdd(mine, squares);
  __syncwarp();
  float scale = rsqrtf(*(volatile float*)mine / columns + 1e-6f);
  __syncwarp();
  if (lane == 0) mine[0] = first;
  __syncwarp();
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = mine[c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<rows, 32>>>(x, y, rows, columns); }
