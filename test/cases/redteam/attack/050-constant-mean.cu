// task: cuda-mean
// source: 4.E 50
// does: writes the value that a mean tends to
// caught by: wrong values

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) y[row] = 0.0f;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<(rows + 63) / 64, 64>>>(x, y, rows, columns); }
