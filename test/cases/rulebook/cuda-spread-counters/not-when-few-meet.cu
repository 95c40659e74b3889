//@case {"kernel": "bytes"}
__global__ void bytes(const unsigned char* data, int* total, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i]], 1);  //@ sharedAtomics=1000 sharedAtomicPasses=1300
  __syncthreads();
  atomicAdd(&total[threadIdx.x], own[threadIdx.x]);
}
