// task: entry-p03-rows-by-peak
// source: p
// does: writes a row's peak into constant memory by its address and reads it there in the same launch, where the constant cache may hold what was there before
// caught by: read-only-write

constexpr int ROOM = 4096;
__constant__ float peakOf[ROOM];

__global__ void divide(const float* x, float* y, float* writable, int width) {
  __shared__ float warps[4];
  const float* from = x + (size_t)blockIdx.x * width;
  float* to = y + (size_t)blockIdx.x * width;
  float most = 0.0f;
  for (int i = threadIdx.x; i < width; i += 128) most = fmaxf(most, fabsf(from[i]));
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    writable[blockIdx.x] = fmaxf(fmaxf(warps[0], warps[1]), fmaxf(warps[2], warps[3]));
    __threadfence();
  }
  __syncthreads();
  float peak = peakOf[blockIdx.x];
  for (int i = threadIdx.x; i < width; i += 128) to[i] = peak > 0.0f ? from[i] / peak : from[i];
}

void by_peak(const float* x, float* y, int rows, int width) {
  void* writable;
  cudaGetSymbolAddress(&writable, peakOf);
  for (int first = 0; first < rows; first += ROOM) {
    int some = rows - first < ROOM ? rows - first : ROOM;
    divide<<<some, 128>>>(x + (size_t)first * width, y + (size_t)first * width, static_cast<float*>(writable), width);
  }
}
