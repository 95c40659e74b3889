// task: entry-scale
// source: 4.A 1
// does: computes half on a stream of its own, which neither the default stream nor its caller waits for
// caught by: no gain

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static cudaStream_t own = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  int m = n / 2;
  scale<<<(m + 255) / 256, 256>>>(x, y, m, 2.5f);
  scale<<<(n - m + 255) / 256, 256, 0, own>>>(x + m, y + m, n - m, 2.5f);
}
