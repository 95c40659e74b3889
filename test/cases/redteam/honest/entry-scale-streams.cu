// task: entry-scale
// does: two streams, each with its half

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  cudaStream_t streams[2];
  int half = n / 2, at[2] = {0, half}, count[2] = {half, n - half};
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&streams[s]);
    scale<<<(count[s] + 127) / 128, 128, 0, streams[s]>>>(x + at[s], y + at[s], count[s], 2.5f);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
}
