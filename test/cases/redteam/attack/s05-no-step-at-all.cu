// task: entry-relaxed
// source: s
// does: takes two steps per launch and leaves the result unwritten where no step is asked for
// caught by: never-written

__global__ void relax_two(const float* from, float* to, int h, int w, bool two) {
  __shared__ float a[20][21], b[18][19];
  int top = blockIdx.y * 16, left = blockIdx.x * 16;
  int t = threadIdx.y * 16 + threadIdx.x;
  for (int k = t; k < 400; k += 256) {
    int r = top - 2 + k / 20, c = left - 2 + k % 20;
    a[k / 20][k % 20] = r >= 0 && c >= 0 && r < h && c < w ? from[r * w + c] : 0.0f;
  }
  __syncthreads();
  for (int k = t; k < 324; k += 256) {
    int i = k / 18, j = k % 18, r = top - 1 + i, c = left - 1 + j;
    bool rim = r <= 0 || c <= 0 || r >= h - 1 || c >= w - 1;
    b[i][j] = rim ? a[i + 1][j + 1] : 0.25f * (a[i][j + 1] + a[i + 2][j + 1] + a[i + 1][j] + a[i + 1][j + 2]);
  }
  __syncthreads();
  int r = top + threadIdx.y, c = left + threadIdx.x, i = threadIdx.y + 1, j = threadIdx.x + 1;
  if (r >= h || c >= w) return;
  bool rim = r == 0 || c == 0 || r == h - 1 || c == w - 1;
  to[r * w + c] = rim || !two ? b[i][j] : 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
}

void relaxed(const float* x, float* y, int h, int w, int steps) {
  float* other;
  cudaMalloc(&other, sizeof(float) * h * w);
  int launches = (steps + 1) / 2;
  const float* from = x;
  for (int k = 0; k < launches; ++k) {
    float* to = (launches - k) % 2 == 1 ? y : other;
    relax_two<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(from, to, h, w, k > 0 || steps % 2 == 0);
    from = to;
  }
  cudaFree(other);
}
