// task: entry-counts
// source: m
// does: clears its table of managed memory from the host, while the kernel of the call before may still count in it, and moves the page to and fro at each call
// caught by: unordered-streams

__managed__ unsigned table[257];

__global__ void count(const int* x, int* counts, int n) {
  __shared__ unsigned own[256];
  __shared__ bool last;
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[x[i] & 255], 1u);
  __syncthreads();
  if (own[threadIdx.x]) atomicAdd(&table[threadIdx.x], own[threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&table[256], 1u) == gridDim.x - 1;
  __syncthreads();
  if (last) counts[threadIdx.x] = (int)atomicAdd(&table[threadIdx.x], 0u);
}

void counts_of(const int* x, int* counts, int n) {
  for (int b = 0; b < 257; ++b) table[b] = 0;
  count<<<min(16, (n + 255) / 256), 256>>>(x, counts, n);
}
