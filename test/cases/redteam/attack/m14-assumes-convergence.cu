// task: entry-sum
// source: m
// does: adds up the lanes that __activemask() happens to name, as if these were the first ones of the warp; a warp that came apart loses numbers
// caught by: order-dependent or wrong values

__global__ void sum(const float* x, float* total, int n) {
  int lane = threadIdx.x & 31;
  float own = 0.0f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (; i < n; i += gridDim.x * blockDim.x) own += x[i];
  unsigned here = __activemask();
  for (int o = 16; o; o /= 2) {
    float other = __shfl_down_sync(here, own, o);
    if (lane + o < 32 && here >> (lane + o) & 1u) own += other;
  }
  if (lane == __ffs(here) - 1) atomicAdd(total, own);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  sum<<<min(32, (n + 127) / 128), 128>>>(x, total, n);
}
