// task: entry-turned
// source: m
// does: a kernel turns the first column, and a copy in two dimensions of four bytes a row each other one: right, but slow on hardware
// caught by: no gain

__global__ void turn(const float* x, float* y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) y[i] = x[i * w];
}

void turned(const float* x, float* y, int h, int w) {
  turn<<<(h + 127) / 128, 128>>>(x, y, h, w);
  for (int c = 1; c < w; ++c)
    cudaMemcpy2DAsync(y + (size_t)c * h, sizeof(float), x + c, w * sizeof(float), sizeof(float), h, cudaMemcpyDeviceToDevice, 0);
}
