// task: cuda-matmul
// source: z
// does: the last warp brings the next tiles to where the others may still be reading the last ones
// caught by: shared-race

constexpr int kTile = 16, kDepth = 16, kWorkers = 128;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[kTile][kDepth + 1];
  __shared__ float right[kDepth][kTile];
  int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  int steps = (k + kDepth - 1) / kDepth;
  int t = threadIdx.x, r = t / kTile, q = t % kTile;
  bool brings = t >= kWorkers;
  float first = 0.0f, second = 0.0f;
  for (int s = 0; s <= steps; ++s) {
    if (brings && s < steps) {
#pragma unroll
      for (int at = t - kWorkers; at < kTile * kDepth; at += 32) {
        int i = at / kDepth, d = s * kDepth + at % kDepth;
        left[i][at % kDepth] = row + i < m && d < k ? a[(row + i) * k + d] : 0.0f;
        int e = s * kDepth + at / kTile, p = column + at % kTile;
        right[at / kTile][at % kTile] = e < k && p < n ? b[e * n + p] : 0.0f;
      }
    }
    if (!brings && s > 0) {
#pragma unroll
      for (int d = 0; d < kDepth; ++d) {
        float other = right[d][q];
        first += left[r][d] * other;
        second += left[r + 8][d] * other;
      }
    }
    __syncthreads();
  }
  if (brings) return;
  if (row + r < m && column + q < n) c[(row + r) * n + column + q] = first;
  if (row + r + 8 < m && column + q < n) c[(row + r + 8) * n + column + q] = second;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul<<<grid, kWorkers + 32>>>(a, b, c, m, n, k);
}
