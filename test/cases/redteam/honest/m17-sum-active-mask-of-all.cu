// task: entry-sum
// does: takes the mask of its shuffles from __activemask() where all lanes of the warp are, as much code does

__global__ void sum(const float* x, float* total, int n) {
  float own = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i];
  unsigned here = __activemask();
  for (int o = 16; o; o /= 2) own += __shfl_down_sync(here, own, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, own);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  sum<<<min(32, (n + 127) / 128), 128>>>(x, total, n);
}
