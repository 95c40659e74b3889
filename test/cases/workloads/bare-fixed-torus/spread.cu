#define WIDE 256
#define HIGH 64

// Heat on a ring in both directions: every cell has four neighbours.
__device__ float cell(const float* heat, int row, int column) {
  row = (row + HIGH) % HIGH;
  column = (column + WIDE) % WIDE;
  return heat[row * WIDE + column];
}

__global__ void spread(const float* heat, float* next) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int row = at / WIDE;
  int column = at % WIDE;
  float around = cell(heat, row - 1, column) + cell(heat, row + 1, column) + cell(heat, row, column - 1) +
                 cell(heat, row, column + 1);
  next[at] = 0.5f * cell(heat, row, column) + 0.125f * around;
}
