// task: cuda-flags
// does: four flags in one store

__global__ void positive(const float* x, bool* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    uchar4 v = make_uchar4(x[i] > 0, x[i + 1] > 0, x[i + 2] > 0, x[i + 3] > 0);
    *reinterpret_cast<uchar4*>(y + i) = v;
  } else {
    for (int j = i; j < n; ++j) y[j] = x[j] > 0;
  }
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 255) / 256, 64>>>(x, y, n); }
