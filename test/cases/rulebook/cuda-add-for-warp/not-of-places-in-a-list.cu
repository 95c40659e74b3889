//@case {"kernel": "split"}
__global__ void split(const int* labels, int* counts, int* places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) places[i] = atomicAdd(&counts[labels[i]], 1); //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=30000
}
