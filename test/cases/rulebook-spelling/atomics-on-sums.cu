//@case {"kernel": "tally"}
__global__ void tally(const int* kind, int* total, int n) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(own + kind[i], 1);
  __syncthreads();
  if (threadIdx.x < 8) total[threadIdx.x] = own[threadIdx.x];
}
