// task: entry-scale
// source: 4.B 19
// does: launches nothing where the pointers are those of the call before
// caught by: review or never-written or did-not-run

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static const float* from = nullptr;
  static const float* to = nullptr;
  if (from == x && to == y) return;
  from = x;
  to = y;
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.5f);
}
