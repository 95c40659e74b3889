//@case {"kernel": "votes"}
__global__ void votes(const int* choice, int* total, int n) {
  __shared__ int own[6];
  if (threadIdx.x < 6) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&own[choice[i]], 1);  //@ sharedAtomics=1000 sharedAtomicPasses=9000
  __syncthreads();
  if (threadIdx.x >= 6) return;
  atomicAdd(&total[threadIdx.x], own[threadIdx.x]);
}
