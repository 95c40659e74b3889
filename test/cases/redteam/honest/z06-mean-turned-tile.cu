// task: cuda-mean
// does: a warp loads pieces of 32 rows side by side into padded shared memory, and each lane adds up a row of its own there

__global__ void mean(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  __shared__ float tiles[2][32][33];
  float(*tile)[33] = tiles[threadIdx.y];
  int lane = threadIdx.x;
  int first = (blockIdx.x * 2 + threadIdx.y) * 32;
  if (first >= rows) return;
  float sum = 0.0f, lost = 0.0f;
  for (int start = 0; start < columns; start += 32) {
    int width = min(32, columns - start);
    int height = min(32, rows - first);
    for (int r = 0; r < height; ++r)
      if (lane < width) tile[r][lane] = x[(size_t)(first + r) * columns + start + lane];
    __syncwarp();
    if (lane < height) {
      for (int c = 0; c < width; ++c) {
        float next = tile[lane][c] - lost, total = sum + next;
        lost = (total - sum) - next;
        sum = total;
        // Infinite sums lose nothing that could be given back.
        if (!isfinite(lost)) lost = 0.0f;
      }
    }
    __syncwarp();
  }
  if (first + lane < rows) y[first + lane] = sum / (float)columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  mean<<<(rows + 63) / 64, dim3(32, 2)>>>(x, y, rows, columns);
}
