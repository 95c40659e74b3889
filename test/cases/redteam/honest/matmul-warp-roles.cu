// task: cuda-matmul
// does: one warp copies tiles, three compute; named barriers between them

constexpr int T = 32;
__device__ __forceinline__ void wait(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void arrive(int id) { asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory"); }

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[2][T][9], right[2][8][T + 1];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, r0 = blockIdx.y * T, c0 = blockIdx.x * T;
  int tiles = (k + 7) / 8;
  if (warp == 3) {
    for (int t = 0; t < tiles; ++t) {
      int s = t & 1;
      if (t >= 2) wait(3 + s);
      for (int i = 0; i < 8; ++i) {
        int d = t * 8 + i;
        left[s][lane][i] = r0 + lane < m && d < k ? a[(r0 + lane) * k + d] : 0.f;
        right[s][i][lane] = c0 + lane < n && d < k ? b[d * n + c0 + lane] : 0.f;
      }
      __threadfence_block();
      arrive(1 + s);
    }
    return;
  }
  float sum[11] = {};
  for (int t = 0; t < tiles; ++t) {
    int s = t & 1;
    wait(1 + s);
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 11; ++j) {
        int r = warp + 3 * j;
        if (r < T) sum[j] += left[s][r][i] * right[s][i][lane];
      }
    if (t + 2 < tiles) arrive(3 + s);
  }
#pragma unroll
  for (int j = 0; j < 11; ++j) {
    int r = warp + 3 * j;
    if (r < T && r0 + r < m && c0 + lane < n) c[(r0 + r) * n + c0 + lane] = sum[j];
  }
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + T - 1) / T, (m + T - 1) / T), 128>>>(a, b, c, m, n, k);
}
