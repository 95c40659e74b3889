// task: entry-counts
// does: lanes that are together and have the same number find each other, and one of them counts for all

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const int* x, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int own = x[i] & 255;
  unsigned alike = __match_any_sync(__activemask(), own);
  if ((threadIdx.x & 31) == __ffs(alike) - 1) atomicAdd(&counts[own], __popc(alike));
}

void counts_of(const int* x, int* counts, int n) {
  clear<<<1, 256>>>(counts);
  count<<<(n + 127) / 128, 128>>>(x, counts, n);
}
