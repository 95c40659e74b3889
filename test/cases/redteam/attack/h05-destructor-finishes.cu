// task: entry-scale
// source: 4.A 2
// does: leaves half of the work to the end of its process, by the destructor of a variable
// caught by: never-written

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f;
}

struct Finisher {
  const float* x = nullptr;
  float* y = nullptr;
  int n = 0;
  ~Finisher() {
    if (n > 0) scale<<<(n + 127) / 128, 128>>>(x, y, n);
    cudaDeviceSynchronize();
  }
};
static Finisher last;

void scaled(const float* x, float* y, int n) {
  int half = n / 2;
  scale<<<(half + 127) / 128, 128>>>(x, y, half);
  last.x = x + half;
  last.y = y + half;
  last.n = n - half;
}
