// task: entry-sum
// does: scratch memory that is kept between calls

__global__ void partial(const float* x, float* sums, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void rest(const float* sums, float* total, int blocks) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += 32) sum += sums[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}

static float* scratch_of(int blocks) {
  static float* scratch = nullptr;
  static int room = 0;
  if (blocks > room) {
    cudaFree(scratch);
    cudaMalloc(&scratch, blocks * sizeof(float));
    room = blocks;
  }
  return scratch;
}

void sum_of(const float* x, float* total, int n) {
  int blocks = min(64, (n + 127) / 128);
  float* scratch = scratch_of(blocks);
  partial<<<blocks, 32>>>(x, scratch, n);
  rest<<<1, 32>>>(scratch, total, blocks);
}
