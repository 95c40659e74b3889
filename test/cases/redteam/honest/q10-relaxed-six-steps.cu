// task: entry-relaxed
// does: takes up to six steps in shared memory before it writes, on tiles with as wide a border that shrinks by a cell each step

constexpr int kTile = 16, kSteps = 6, kWide = kTile + 2 * kSteps;

__global__ void __launch_bounds__(256) relax(const float* from, float* to, int h, int w, int steps) {
  __shared__ float room[2][kWide][kWide];
  int top = static_cast<int>(blockIdx.y) * kTile - kSteps, left = static_cast<int>(blockIdx.x) * kTile - kSteps;
  for (int k = threadIdx.x; k < kWide * kWide; k += 256) {
    int r = top + k / kWide, c = left + k % kWide;
    room[0][k / kWide][k % kWide] = r >= 0 && r < h && c >= 0 && c < w ? from[r * w + c] : 0.0f;
  }
  __syncthreads();
  for (int step = 1; step <= steps; ++step) {
    float(*old)[kWide] = room[(step + 1) % 2], (*now)[kWide] = room[step % 2];
    int width = kWide - 2 * step;
    for (int k = threadIdx.x; k < width * width; k += 256) {
      int i = k / width + step, j = k % width + step, r = top + i, c = left + j;
      bool inner = r > 0 && r < h - 1 && c > 0 && c < w - 1;
      now[i][j] = inner ? 0.25f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) : old[i][j];
    }
    __syncthreads();
  }
  int i = threadIdx.x / kTile + kSteps, j = threadIdx.x % kTile + kSteps;
  if (top + i < h && left + j < w) to[(top + i) * w + left + j] = room[steps % 2][i][j];
}

void relaxed(const float* x, float* y, int h, int w, int steps) {
  if (steps == 0) {
    cudaMemcpyAsync(y, x, sizeof(float) * h * w, cudaMemcpyDeviceToDevice, 0);
    return;
  }
  float* other = nullptr;
  int rounds = (steps + kSteps - 1) / kSteps;
  if (rounds > 1) cudaMallocAsync(&other, sizeof(float) * h * w, 0);
  const float* from = x;
  for (int round = 0; round < rounds; ++round) {
    float* to = (rounds - round) % 2 == 1 ? y : other;
    relax<<<dim3((w + kTile - 1) / kTile, (h + kTile - 1) / kTile), 256>>>(from, to, h, w, min(kSteps, steps - round * kSteps));
    from = to;
  }
  if (rounds > 1) cudaFreeAsync(other, 0);
}
