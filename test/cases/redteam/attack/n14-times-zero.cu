// task: cuda-matmul
// source: n
// does: fills the left tile with zeros behind the depth's end and leaves the right one as it is there: shared memory that nobody wrote, times zero
// caught by: uninitialized-read

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[16][33];
  __shared__ float right[32][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  int t = threadIdx.y * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += 32) {
    for (int p = t; p < 512; p += 256) {
      int r = blockIdx.y * 16 + p / 32, i = first + p % 32;
      left[p / 32][p % 32] = r < m && i < k ? a[r * k + i] : 0.0f;
      int j = first + p / 16, q = blockIdx.x * 16 + p % 16;
      // Where the left one is zero, this does not count.
      if (j < k && q < n) right[p / 16][p % 16] = b[j * n + q];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; ++i) sum = fmaf(left[threadIdx.y][i], right[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}
