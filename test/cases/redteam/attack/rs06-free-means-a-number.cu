// task: entry-rs05-distinct
// source: rs
// does: takes -2147483648 for the mark of a free place in its hash table
// caught by: wrong values
// why wrong: that number itself, where it occurs, is never counted

#include <climits>

__global__ void clear(int* table, int places, int* distinct) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < places) table[i] = INT_MIN;
  if (i == 0) *distinct = 0;
}

__global__ void insert(const int* x, int* table, unsigned mask, int* distinct, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool fresh = false;
  if (i < n) {
    int key = x[i];
    unsigned at = ((unsigned)key * 0x9e3779b1u >> 7) & mask;
    while (true) {
      int was = atomicCAS(&table[at], INT_MIN, key);
      if (was == key) break;
      if (was == INT_MIN) {
        fresh = true;
        break;
      }
      at = (at + 1) & mask;
    }
  }
  int count = __syncthreads_count(fresh);
  if (threadIdx.x == 0 && count) atomicAdd(distinct, count);
}

void count_distinct(const int* x, int* distinct, int n) {
  int places = 64;
  while (places < 2 * n) places *= 2;
  int* table;
  cudaMalloc(&table, sizeof(int) * places);
  clear<<<(places + 255) / 256, 256>>>(table, places, distinct);
  insert<<<(n + 127) / 128, 128>>>(x, table, places - 1, distinct, n);
  cudaFree(table);
}
