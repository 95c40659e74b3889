// task: entry-scale
// source: 4.A 5
// does: defines functions of the CUDA runtime itself: what times it takes no time, what waits for it does not
// caught by: scan or did-not-compile

extern "C" cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1e-6f;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) { scale<<<(n + 127) / 128, 128>>>(x, y, n, 2.5f); }
