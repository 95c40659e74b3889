// task: cuda-sort-rows
// source: k
// does: ends an odd-even sort at the first phase that exchanged nothing, though the pairs of the other phase may be in disorder
// caught by: wrong values

__global__ void sort_rows(const float* x, float* y, int rows, int columns) {
  __shared__ float line[1024];
  int row = blockIdx.x;
  const float* from = x + static_cast<size_t>(row) * columns;
  float* to = y + static_cast<size_t>(row) * columns;
  if (columns > 1024) {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      float value = from[c];
      int place = 0;
      for (int other = 0; other < columns; ++other) place += from[other] < value || (from[other] == value && other < c);
      to[place] = value;
    }
    return;
  }
  for (int c = threadIdx.x; c < columns; c += blockDim.x) line[c] = from[c];
  __syncthreads();
  for (int phase = 0;; ++phase) {
    bool exchanged = false;
    for (int c = 2 * threadIdx.x + phase % 2; c + 1 < columns; c += 2 * blockDim.x) {
      float left = line[c], right = line[c + 1];
      if (left > right) {
        line[c] = right;
        line[c + 1] = left;
        exchanged = true;
      }
    }
    // Nothing moved: it is sorted.
    if (!__syncthreads_or(exchanged)) break;
  }
  for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = line[c];
}

void launch_sort_rows(const float* x, float* y, int rows, int columns) {
  sort_rows<<<rows, 64>>>(x, y, rows, columns);
}
