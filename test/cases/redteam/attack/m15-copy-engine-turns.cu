// task: entry-turned
// source: m
// does: no kernel at all: each column is one copy in two dimensions of four bytes a row; right, but on hardware each such copy takes microseconds and moves four bytes at a time
// caught by: did-not-run

// What remains of the kernel, for a single row.
__global__ void turn(const float* x, float* y, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w) y[i] = x[i];
}

void turned(const float* x, float* y, int h, int w) {
  if (h == 1) {
    turn<<<(w + 127) / 128, 128>>>(x, y, w);
    return;
  }
  for (int c = 0; c < w; ++c)
    cudaMemcpy2DAsync(y + (size_t)c * h, sizeof(float), x + c, w * sizeof(float), sizeof(float), h, cudaMemcpyDeviceToDevice, 0);
}
