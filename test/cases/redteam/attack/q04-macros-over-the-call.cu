// task: entry-scale
// source: 4.D 37
// does: gives the words of the harness behind it another meaning by macros
// caught by: did-not-compile or never-written or exception or did-not-run

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) { scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.5f); }

inline void nothing(const float*, float*, int) {}

#define whole() nothing(nullptr, nullptr, 0)
#define scaled nothing
