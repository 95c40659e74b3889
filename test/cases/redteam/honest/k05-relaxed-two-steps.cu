// task: entry-relaxed
// does: takes two steps at a time over tiles with a rim of two cells that their neighbours compute as well

__device__ float stepped(const float (*cells)[20], int r, int c) {
  return 0.25f * (cells[r - 1][c] + cells[r + 1][c] + cells[r][c - 1] + cells[r][c + 1]);
}

__global__ void relax(const float* from, float* to, int h, int w, int steps) {
  __shared__ float before[20][20];
  __shared__ float between[20][20];
  int top = blockIdx.y * 16 - 2, left = blockIdx.x * 16 - 2;
  int thread = threadIdx.y * 16 + threadIdx.x;
  for (int cell = thread; cell < 400; cell += 256) {
    int r = top + cell / 20, c = left + cell % 20;
    before[cell / 20][cell % 20] = r >= 0 && c >= 0 && r < h && c < w ? from[r * w + c] : 0.0f;
  }
  __syncthreads();
  if (steps == 2) {
    for (int cell = thread; cell < 324; cell += 256) {
      int tr = 1 + cell / 18, tc = 1 + cell % 18, r = top + tr, c = left + tc;
      bool moves = r > 0 && c > 0 && r < h - 1 && c < w - 1;
      between[tr][tc] = moves ? stepped(before, tr, tc) : before[tr][tc];
    }
    __syncthreads();
  }
  const float(*last)[20] = steps == 2 ? between : before;
  int tr = 2 + threadIdx.y, tc = 2 + threadIdx.x, r = top + tr, c = left + tc;
  if (r >= h || c >= w) return;
  bool moves = r > 0 && c > 0 && r < h - 1 && c < w - 1;
  to[r * w + c] = moves ? stepped(last, tr, tc) : last[tr][tc];
}

void relaxed(const float* x, float* y, int h, int w, int steps) {
  if (steps == 0) {
    cudaMemcpy(y, x, sizeof(float) * h * w, cudaMemcpyDeviceToDevice);
    return;
  }
  float* other;
  cudaMalloc(&other, sizeof(float) * h * w);
  dim3 grid((w + 15) / 16, (h + 15) / 16);
  const float* from = x;
  for (int launches = (steps + 1) / 2; launches > 0; --launches) {
    int now = steps % 2 == 1 && from == x ? 1 : 2;
    float* to = launches % 2 == 1 ? y : other;
    relax<<<grid, dim3(16, 16)>>>(from, to, h, w, now);
    from = to;
  }
  cudaFree(other);
}
