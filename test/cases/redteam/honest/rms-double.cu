// task: cuda-rms
// does: adds up in double precision, half a warp a row

__global__ void rms(const float* x, float* y, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  const unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
  if (row >= rows) return;
  double squares = 0.0;
  for (int c = lane; c < columns; c += 16) squares += static_cast<double>(x[row * columns + c]) * x[row * columns + c];
  for (int step = 8; step > 0; step /= 2) squares += __shfl_xor_sync(half, squares, step, 16);
  const float scale = static_cast<float>(1.0 / sqrt(squares / columns + 1e-6));
  for (int c = lane; c < columns; c += 16) y[row * columns + c] = x[row * columns + c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) {
  rms<<<(rows + 7) / 8, 128>>>(x, y, rows, columns);
}
