//@case {"kernel": "accumulate"}
__global__ void accumulate(const int* labels, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[labels[i]], 1); //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=2000
}
