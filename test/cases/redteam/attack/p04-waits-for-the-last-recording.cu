// task: entry-p03-rows-by-peak
// source: p
// does: keeps an event between calls and has the second stream wait for it before the first one records it: the wait is for the call before, or for nothing
// caught by: unordered-streams or uninitialized-read or wrong values

__global__ void peaks(const float* x, float* peak, int rows, int width) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float most = 0.0f;
  for (int i = lane; i < width; i += 32) most = fmaxf(most, fabsf(x[row * width + i]));
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (lane == 0) peak[row] = most;
}

__global__ void divide(const float* x, const float* peak, float* y, int width) {
  float most = peak[blockIdx.x];
  const float* from = x + blockIdx.x * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) y[blockIdx.x * width + i] = most > 0.0f ? from[i] / most : from[i];
}

void by_peak(const float* x, float* y, int rows, int width) {
  static cudaStream_t finds, divides;
  static cudaEvent_t found;
  if (!found) {
    cudaStreamCreate(&finds);
    cudaStreamCreate(&divides);
    cudaEventCreateWithFlags(&found, cudaEventDisableTiming);
  }
  float* peak;
  cudaMalloc(&peak, rows * sizeof(float));
  cudaStreamWaitEvent(divides, found, 0);
  peaks<<<(rows + 3) / 4, 128, 0, finds>>>(x, peak, rows, width);
  cudaEventRecord(found, finds);
  divide<<<rows, 128, 0, divides>>>(x, peak, y, width);
  cudaStreamSynchronize(finds);
  cudaStreamSynchronize(divides);
  cudaFree(peak);
}
