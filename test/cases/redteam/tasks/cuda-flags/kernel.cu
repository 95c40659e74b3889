__global__ void positive(const float* x, bool* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) y[i] = x[i] > 0.0f;
  if (i + 1 < n) y[i + 1] = x[i + 1] > 0.0f;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 127) / 128, 64>>>(x, y, n); }
