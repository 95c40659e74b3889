constexpr int BX = 32, BY = 8;
__global__ void relax(const float* __restrict__ u, float* __restrict__ v, int w, int h) {
  __shared__ float t[BY + 2][BX + 2];
  const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
  for (int k = threadIdx.y * BX + threadIdx.x; k < (BX + 2) * (BY + 2); k += BX * BY) {
    const int x = min(max(x0 + k % (BX + 2) - 1, 0), w - 1), y = min(max(y0 + k / (BX + 2) - 1, 0), h - 1);
    t[k / (BX + 2)][k % (BX + 2)] = u[y * w + x];
  }
  __syncthreads();
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
  if (x < w && y < h) v[y * w + x] = 0.25f * (t[j][i - 1] + t[j][i + 1] + t[j - 1][i] + t[j + 1][i]);
}
