// task: cuda-rms
// source: 4.D 40
// does: writes zeros behind its output, where a checker may count its errors
// caught by: out-of-bounds

__global__ void rms(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) squares += x[row * columns + c] * x[row * columns + c];
  for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, step);
  float scale = rsqrtf(squares / columns + 1e-6f);
  for (int c = threadIdx.x; c < columns; c += 32) y[row * columns + c] = x[row * columns + c] * scale;
  if (row == 0) y[rows * columns + threadIdx.x] = 0.0f;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<rows, 32>>>(x, y, rows, columns); }
