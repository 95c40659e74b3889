// task: entry-smoothed
// source: n
// does: works in place and keeps a block's threads apart by a barrier, but reads the first number of the next block, which that may have overwritten
// caught by: global-race

__global__ void smooth(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = 0.0f, next = 0.0f;
  if (i + 1 < n) {
    own = x[i];
    next = x[i + 1];
  }
  // All have read before anyone writes.
  __syncthreads();
  if (i + 1 < n) x[i] = 0.5f * (own + next);
}

void smoothed(float* x, int n) { smooth<<<(n + 1023) / 1024, 1024>>>(x, n); }
