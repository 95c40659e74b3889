//@case {"kernel": "count_even"}
__global__ void count_even(const int* values, unsigned int* even, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (values[blockIdx.x * n + i] % 2 == 0)
      atomicAdd(even + blockIdx.x, 1u);  //@ globalAtomics=1024 globalAtomicLanes=16384 globalAtomicPasses=16384
}

void run(const int* values, unsigned int* even, int n, int rows) {
  count_even<<<rows, 64>>>(values, even, n);
}
