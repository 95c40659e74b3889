// Turns each row round and multiplies it with a gain.
__global__ void mirror(const float* x, float* y, int rows, int width, float gain) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int i = 0; i < width; ++i) y[(size_t)row * width + i] = gain * x[(size_t)row * width + width - 1 - i];
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  mirror<<<(rows + 31) / 32, 32>>>(x, y, rows, width, gain);
}
