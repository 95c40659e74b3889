// task: entry-scale
// does: a second stream that waits for an event of the first

__global__ void scale(const float* x, float* y, int from, int to, float factor) {
  int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < to) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaStream_t first, second;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  const int middle = (n + 1) / 2;
  scale<<<(middle + 127) / 128, 128, 0, first>>>(x, y, 0, middle, 2.5f);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  scale<<<(n + 127) / 128, 128, 0, second>>>(x, y, middle, n, 2.5f);
  cudaStreamSynchronize(second);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
