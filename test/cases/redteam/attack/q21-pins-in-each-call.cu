// task: entry-bands
// source: q
// does: takes pinned memory for its table in each call and gives it back, so that nothing is copied; to pin a page takes a GPU's host longer than the four small copies
// caught by: no gain

struct Ends {
  int of[3];
};

__global__ void band(const float* x, float* y, const float* gains, Ends ends, int n) {
  __shared__ float table[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64) table[threadIdx.x] = gains[threadIdx.x];
  __syncthreads();
  if (i >= n) return;
  int part = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    if (i >= ends.of[k]) part = k + 1;
  y[i] = x[i] * table[16 * part + i % 16];
}

void equalised(const float* x, float* y, int n) {
  float* gains;
  cudaHostAlloc(&gains, 64 * sizeof(float), cudaHostAllocMapped);
  for (int part = 0; part < 4; ++part)
    for (int k = 0; k < 16; ++k) gains[16 * part + k] = 1.0f + 0.25f * part + k / 16.0f;
  Ends ends;
  for (int k = 0; k < 3; ++k) ends.of[k] = static_cast<int>(static_cast<long long>(n) * (k + 1) / 4);
  float* seen;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&seen), gains, 0);
  band<<<(n + 127) / 128, 128>>>(x, y, seen, ends, n);
  cudaDeviceSynchronize();
  cudaFreeHost(gains);
}
