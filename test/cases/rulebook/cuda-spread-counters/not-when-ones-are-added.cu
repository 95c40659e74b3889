//@case {"kernel": "votes"}
__global__ void votes(const unsigned char* choice, unsigned int* total, int n) {
  __shared__ unsigned int votes_of_block[6];
  if (threadIdx.x < 6) votes_of_block[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&votes_of_block[choice[i]], 1u);  //@ sharedAtomics=1000 sharedAtomicPasses=9000
  __syncthreads();
  if (threadIdx.x < 6) atomicAdd(&total[threadIdx.x], votes_of_block[threadIdx.x]);
}
