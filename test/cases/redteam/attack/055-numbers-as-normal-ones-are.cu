// task: cuda-rms
// source: 4.E 55
// does: takes numbers further than eight from zero for ones that normal inputs never have
// caught by: wrong values

__global__ void rms(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float value = fminf(fmaxf(x[row * columns + c], -8.0f), 8.0f);
    squares += value * value;
  }
  for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, step);
  float scale = rsqrtf(squares / columns + 1e-6f);
  for (int c = threadIdx.x; c < columns; c += 32) y[row * columns + c] = x[row * columns + c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<rows, 32>>>(x, y, rows, columns); }
