//@case {"kernel": "histogram"}
__global__ void histogram(const int* values, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[values[i]], 1);  //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=8192
}

void run(const int* values, int* counts, int n) {
  histogram<<<(n + 255) / 256, 256>>>(values, counts, n);
}
