// task: entry-q02-top8
// source: q
// does: keeps the four largest of each thread's stretch of neighbours, which loses some where five of the eight largest stand together, as at a peak of a signal
// caught by: wrong values

constexpr int kThreads = 128, kTile = kThreads * 16, kKept = 4;

__device__ int ordered(float v) {
  int bits = __float_as_int(v);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

// Takes the eight largest keys of a warp, the largest first, out of what its lanes keep in order.
__device__ void take_eight(int (&kept)[kKept], int* to, int lane) {
  for (int k = 0; k < 8; ++k) {
    int most = __reduce_max_sync(~0u, kept[0]);
    unsigned holders = __ballot_sync(~0u, kept[0] == most);
    if (lane == __ffs(holders) - 1) {
#pragma unroll
      for (int j = 0; j + 1 < kKept; ++j) kept[j] = kept[j + 1];
      kept[kKept - 1] = ordered(-INFINITY);
    }
    if (lane == 0) to[k] = most;
  }
}

__global__ void top8(const float* x, float* y, int columns) {
  __shared__ float tile[kTile + kTile / 16];
  __shared__ int best[kThreads / 32][8];
  const float* row = x + (size_t)blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int kept[kKept];
#pragma unroll
  for (int k = 0; k < kKept; ++k) kept[k] = ordered(-INFINITY);
  for (int first = 0; first < columns; first += kTile) {
    int count = min(kTile, columns - first);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += kThreads) tile[i + i / 16] = row[first + i];
    __syncthreads();
    // Each thread looks through a stretch of its own.
    int share = (count + kThreads - 1) / kThreads, end = min(count, (threadIdx.x + 1) * share);
    for (int i = threadIdx.x * share; i < end; ++i) {
      float value = tile[i + i / 16];
      if (value != value) continue;
      int key = ordered(value);
#pragma unroll
      for (int k = 0; k < kKept; ++k) {
        int larger = max(key, kept[k]);
        key = min(key, kept[k]);
        kept[k] = larger;
      }
    }
  }
  take_eight(kept, best[warp], lane);
  __syncthreads();
  if (warp > 0) return;
  int all[kKept];
#pragma unroll
  for (int k = 0; k < kKept; ++k) all[k] = ordered(-INFINITY);
  all[0] = best[lane / 8][lane % 8];
  __shared__ int result[8];
  take_eight(all, result, lane);
  __syncwarp();
  if (lane < 8) {
    int key = result[lane];
    y[blockIdx.x * 8 + lane] = __int_as_float(key ^ ((key >> 31) & 0x7fffffff));
  }
}

void largest_eight(const float* x, float* y, int rows, int columns) {
  top8<<<rows, kThreads>>>(x, y, columns);
}
