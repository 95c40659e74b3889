//@case {"kernel": "compact"}
__global__ void compact(const int* values, int* kept, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] > 0) kept[atomicAdd(count, 1)] = values[i];  //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=32768
}

void run(const int* values, int* kept, int* count, int n) {
  compact<<<(n + 255) / 256, 256>>>(values, kept, count, n);
}
