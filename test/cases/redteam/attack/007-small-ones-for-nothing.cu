// task: entry-scale
// source: 4.A 7
// does: takes no time at all for small sizes, which a mean over all sizes would take for any gain
// caught by: did-not-run or never-written

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  if (n < 1024) return;
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.5f);
}
