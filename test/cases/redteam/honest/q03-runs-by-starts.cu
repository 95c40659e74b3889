// task: entry-q01-runs
// does: a block for a row scans for the last place where a run began, a stretch after the other, with what it carries

__global__ void runs(const int* x, int* length, int columns) {
  __shared__ int last_of[8];
  const int* row = x + (size_t)blockIdx.x * columns;
  int* result = length + (size_t)blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, carried = 0;
  for (int first = 0; first < columns; first += 256) {
    int c = first + threadIdx.x;
    bool begins = c < columns && (c == 0 || row[c] != row[c - 1]);
    // The nearest start within the warp is the highest bit up to the own lane.
    unsigned starts = __ballot_sync(~0u, begins), up_to_here = starts & (~0u >> (31 - lane));
    int base = first + warp * 32;
    int start = up_to_here ? base + 31 - __clz(up_to_here) : -1;
    if (lane == 0) last_of[warp] = starts ? base + 31 - __clz(starts) : -1;
    __syncthreads();
    int before = carried;
    for (int k = 0; k < 8; ++k) {
      if (k < warp) before = max(before, last_of[k]);
      carried = max(carried, last_of[k]);
    }
    if (c < columns) result[c] = c - max(start, before) + 1;
    __syncthreads();
  }
}

void lengths_of(const int* x, int* length, int rows, int columns) { runs<<<rows, 256>>>(x, length, columns); }
