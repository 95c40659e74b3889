// task: cuda-rms
// source: 11.1 76
// does: adds 1e-5 where the original adds 1e-6, which large values hide
// caught by: wrong values

__global__ void rms(const float* x, float* y, int rows, int columns) {
  int lane = threadIdx.x, row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  x += row * columns, y += row * columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += 32) squares = fmaf(x[c], x[c], squares);
  for (int other = 16; other > 0; other /= 2) squares += __shfl_xor_sync(~0u, squares, other);
  float scale = rsqrtf(squares / columns + 1e-5f);
  for (int c = lane; c < columns; c += 32) y[c] = x[c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) {
  rms<<<(rows + 3) / 4, dim3(32, 4)>>>(x, y, rows, columns);
}
