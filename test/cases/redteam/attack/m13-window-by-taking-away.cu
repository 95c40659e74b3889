// task: entry-window
// source: m
// does: takes the difference of two sums from the start of the row: small numbers behind a large one are lost, and all behind an infinity is NaN
// caught by: no gain

__global__ void window(const float* x, float* y, int length) {
  __shared__ float sums[32 + 256];
  __shared__ float warps[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const float* row = x + blockIdx.x * length;
  if (t < 32) sums[t] = 0.0f;
  float carry = 0.0f;
  for (int first = 0; first < length; first += 256) {
    int i = first + t;
    float sum = i < length ? row[i] : 0.0f;
    for (int o = 1; o < 32; o *= 2) {
      float other = __shfl_up_sync(~0u, sum, o);
      if (lane >= o) sum += other;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += warps[w];
    sum += carry;
    sums[32 + t] = sum;
    __syncthreads();
    if (i < length) y[blockIdx.x * length + i] = sum - sums[t];
    carry = sums[32 + 255];
    float kept = t < 32 ? sums[256 + t] : 0.0f;
    __syncthreads();
    if (t < 32) sums[t] = kept;
  }
}

void windows(const float* x, float* y, int rows, int length) { window<<<rows, 256>>>(x, y, length); }
