// task: entry-rs05-distinct
// does: puts the numbers into a hash table, whose mark of a free place, zero, is counted by a flag of its own

__global__ void insert(const int* __restrict__ x, int* table, unsigned mask, int* zero, int* distinct, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool fresh = false;
  if (i < n) {
    int key = x[i];
    if (key == 0) {
      fresh = atomicExch(zero, 1) == 0;
    } else {
      for (unsigned at = ((unsigned)key * 0x9e3779b1u >> 7) & mask;; at = (at + 1) & mask) {
        int was = atomicCAS(table + at, 0, key);
        fresh = was == 0;
        if (fresh || was == key) break;
      }
    }
  }
  int count = __syncthreads_count(fresh);
  if (threadIdx.x == 0 && count) atomicAdd(distinct, count);
}

void count_distinct(const int* x, int* distinct, int n) {
  unsigned places = 64;
  while (places < 2u * n) places *= 2;
  int* table;
  cudaMalloc(&table, sizeof(int) * (places + 1ull));
  cudaMemsetAsync(table, 0, sizeof(int) * (places + 1ull));
  cudaMemsetAsync(distinct, 0, sizeof(int));
  insert<<<(n + 127) / 128, 128>>>(x, table, places - 1, table + places, distinct, n);
  cudaFree(table);
}
