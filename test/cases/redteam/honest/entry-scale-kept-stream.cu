// task: entry-scale
// does: launches on a stream of its own that it keeps and waits for

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
  cudaDeviceSynchronize();
  scale<<<(n + 255) / 256, 256, 0, own>>>(x, y, n, 2.5f);
  cudaStreamSynchronize(own);
}
