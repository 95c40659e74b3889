// task: entry-scale
// source: 4.A 13
// does: is right for the first calls and copies an input later
// caught by: wrong values

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static int calls = 0;
  scale<<<(n + 127) / 128, 128>>>(x, y, n, ++calls > 5 ? 1.0f : 2.5f);
}
