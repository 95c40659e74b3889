//@case {"kernel": "spread", "launches": []}
__global__ void spread(const int* first, const float* weight, float* total, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = first[i]; k < first[i + 1]; ++k)
      atomicAdd(total + i, weight[k]);  //@ globalAtomics=4000 globalAtomicPasses=4000
}

void run(const int* first, const float* weight, float* total, int n) {
  spread<<<64, 256>>>(first, weight, total, n);
}
