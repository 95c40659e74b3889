// task: entry-sum
// source: k
// does: keeps scratch memory from the first call, as large as that call needed, for calls that need more
// caught by: out-of-bounds or wrong values

__global__ void partial(const float* x, float* parts, int n) {
  __shared__ float warps[4];
  int i = blockIdx.x * 128 + threadIdx.x;
  float sum = i < n ? x[i] : 0.0f;
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
}

__global__ void collect(const float* parts, float* total, int count) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += 32) sum += parts[i];
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) *total = sum;
}

// Allocating costs more than both kernels, so it is done once.
static float* scratch(int blocks) {
  static float* kept = [blocks] {
    float* fresh = nullptr;
    cudaMalloc(&fresh, blocks * sizeof(float));
    return fresh;
  }();
  return kept;
}

void sum_of(const float* x, float* total, int n) {
  int blocks = (n + 127) / 128;
  float* parts = scratch(blocks);
  partial<<<blocks, 128>>>(x, parts, n);
  collect<<<1, 32>>>(parts, total, blocks);
}
