// task: entry-counts
// does: clears a table of managed memory from the host once the kernel of the call before is over

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
  static cudaEvent_t done = nullptr;
  if (done == nullptr)
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  else
    cudaEventSynchronize(done);
  for (int b = 0; b < 257; ++b) table[b] = 0;
  count<<<min(16, (n + 255) / 256), 256>>>(x, counts, n);
  cudaEventRecord(done);
}
