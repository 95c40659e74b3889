// task: entry-sum
// does: the lanes that happen to be together add up what they have, whichever these are, and the first of them hands it over

__global__ void sum(const float* x, float* total, int n) {
  int lane = threadIdx.x & 31;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own = 0.0f;
  for (; i < n; i += gridDim.x * blockDim.x) own += x[i];
  unsigned here = __activemask();
  float together = 0.0f;
  for (unsigned left = here; left; left &= left - 1) together += __shfl_sync(here, own, __ffs(left) - 1);
  if (lane == __ffs(here) - 1) atomicAdd(total, together);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  sum<<<min(32, (n + 127) / 128), 128>>>(x, total, n);
}
