//@case {"kernel": "rank"}
__global__ void rank(const int* key, int* place, int n) {
  __shared__ int taken[8];
  if (threadIdx.x < 8) taken[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    place[i] = atomicAdd(&taken[key[i]], 1);  //@ sharedAtomics=1000 sharedAtomicPasses=9000
}
