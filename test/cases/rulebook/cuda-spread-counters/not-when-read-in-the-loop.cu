//@case {"kernel": "until"}
__global__ void until(const int* x, int* total, int n) {
  __shared__ int seen[4];
  if (threadIdx.x < 4) seen[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (seen[x[i]] < 100) atomicAdd(&seen[x[i]], 1);  //@ sharedAtomics=1000 sharedAtomicPasses=9000
  }
  __syncthreads();
  if (threadIdx.x < 4) total[threadIdx.x] = seen[threadIdx.x];
}
