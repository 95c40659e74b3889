// task: entry-scale
// source: 4.A 1
// does: launches on another stream and returns at once
// caught by: no gain

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) y[i] = x[i] * factor;
  if (i + 1 < n) y[i + 1] = x[i + 1] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaStream_t aside;
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  scale<<<(n + 127) / 128, 64, 0, aside>>>(x, y, n, 2.5f);
}
