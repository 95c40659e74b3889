// task: entry-scale
// source: bounds without the launches of kernels
// does: has a kernel of one thread launch a kernel for every 32 elements
// caught by: no gain or did-not-compile or did-not-run

__global__ void piece(const float* x, float* y, int n, int first) {
  int i = first + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f;
}

__global__ void scale(const float* x, float* y, int n) {
  for (int first = 0; first < n; first += 32) piece<<<1, 32>>>(x, y, n, first);
}

void scaled(const float* x, float* y, int n) { scale<<<1, 1>>>(x, y, n); }
