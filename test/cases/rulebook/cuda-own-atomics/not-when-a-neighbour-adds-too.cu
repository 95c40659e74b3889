//@case {"kernel": "spread", "launches": []}
__global__ void spread(const float* weight, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    atomicAdd(&total[i], weight[i]);  //@ globalAtomics=4000 globalAtomicPasses=4000
    atomicAdd(&total[i + 1], weight[i]);  //@ globalAtomics=4000 globalAtomicPasses=4000
  }
}

void run(const float* weight, float* total, int n) { spread<<<64, 256>>>(weight, total, n); }
