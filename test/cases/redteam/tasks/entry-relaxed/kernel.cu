// So many steps in which each inner cell becomes the mean of its four neighbours; the rim stays.
__global__ void relax(const float* from, float* to, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= h || c >= w) return;
  int i = r * w + c;
  if (r == 0 || c == 0 || r == h - 1 || c == w - 1)
    to[i] = from[i];
  else
    to[i] = 0.25f * (from[i - w] + from[i + w] + from[i - 1] + from[i + 1]);
}

void relaxed(const float* x, float* y, int h, int w, int steps) {
  float* other;
  cudaMalloc(&other, sizeof(float) * h * w);
  if (steps == 0) cudaMemcpy(y, x, sizeof(float) * h * w, cudaMemcpyDeviceToDevice);
  const float* from = x;
  for (int step = 0; step < steps; ++step) {
    float* to = (steps - step) % 2 == 1 ? y : other;
    relax<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(from, to, h, w);
    from = to;
  }
  cudaFree(other);
}
