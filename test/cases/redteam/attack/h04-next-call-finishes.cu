// task: entry-scale
// source: 4.A 10
// does: computes half, and leaves the rest to the next call, which finds the pointers of the last one
// caught by: never-written or depends-on-output or use-after-free or review

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f;
}

struct Rest {
  const float* x = nullptr;
  float* y = nullptr;
  int n = 0;
};
static Rest rest;

void scaled(const float* x, float* y, int n) {
  if (rest.n > 0) scale<<<(rest.n + 127) / 128, 128>>>(rest.x, rest.y, rest.n);
  int half = n / 2;
  scale<<<(half + 127) / 128, 128>>>(x, y, half);
  rest = {x + half, y + half, n - half};
}
