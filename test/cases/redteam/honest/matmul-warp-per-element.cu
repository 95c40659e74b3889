// task: cuda-matmul
// does: a warp for each element, with shuffles

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int element = blockIdx.x * (blockDim.x / warpSize) + threadIdx.x / warpSize;
  if (element >= m * n) return;
  int row = element / n, column = element % n;
  float sum = 0.0f;
  for (int i = threadIdx.x % warpSize; i < k; i += warpSize) sum = fmaf(a[row * k + i], b[i * n + column], sum);
  for (int step = warpSize / 2; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % warpSize == 0) c[element] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<(m * n + 3) / 4, 128>>>(a, b, c, m, n, k);
}
