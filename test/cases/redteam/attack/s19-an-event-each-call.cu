// task: entry-scale
// source: s
// does: makes an event in each call and never gives it back, so that a service runs out of them
// caught by: kept-by-each-call

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  scale<<<(n + 127) / 128, 128>>>(x, y, n, 2.5f);
  cudaEventRecord(done, 0);
}
