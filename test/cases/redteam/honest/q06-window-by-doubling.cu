// task: entry-window
// does: adds up pairs, pairs of pairs and so on, so that five additions give the sum of 32 numbers, and none is taken away again

constexpr int kOwn = 224, kAll = 256;

__global__ void window(const float* x, float* y, int length) {
  __shared__ float sums[2][kAll];
  const float* row = x + (size_t)blockIdx.y * length;
  int t = static_cast<int>(blockIdx.x) * kOwn - 32 + static_cast<int>(threadIdx.x);
  float sum = t >= 0 && t < length ? row[t] : 0.0f;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    sums[k % 2][threadIdx.x] = sum;
    __syncthreads();
    int back = static_cast<int>(threadIdx.x) - (1 << k);
    if (back >= 0) sum += sums[k % 2][back];
  }
  // The first 32 places lack what lies before the block, and belong to the one before.
  if (threadIdx.x >= 32 && t < length) y[(size_t)blockIdx.y * length + t] = sum;
}

void windows(const float* x, float* y, int rows, int length) {
  window<<<dim3((length + kOwn - 1) / kOwn, rows), kAll>>>(x, y, length);
}
