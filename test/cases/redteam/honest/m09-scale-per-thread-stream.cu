// task: entry-scale
// does: launches on the stream of the calling thread, which waits for the default stream and which that one waits for

__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.5f;
}

void scaled(const float* x, float* y, int n) { scale<<<(n + 255) / 256, 256, 0, cudaStreamPerThread>>>(x, y, n); }
