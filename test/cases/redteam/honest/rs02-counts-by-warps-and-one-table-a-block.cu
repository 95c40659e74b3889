// task: entry-rs02-equalised
// does: counts in shared memory of each warp, four pixels in a word, and has each block make the table for itself

#include <cstdint>

__global__ void count(const unsigned char* __restrict__ x, int* counts, int n) {
  __shared__ int own[8][256];
  int t = threadIdx.x;
  for (int w = 0; w < 8; ++w) own[w][t] = 0;
  __syncthreads();
  int* mine = own[t / 32];
  int head = min(n, (int)(-(uintptr_t)x & 3)), words = (n - head) / 4;
  const uchar4* whole = reinterpret_cast<const uchar4*>(x + head);
  for (int i = blockIdx.x * 256 + t; i < words; i += gridDim.x * 256) {
    uchar4 v = whole[i];
    atomicAdd(mine + v.x, 1);
    atomicAdd(mine + v.y, 1);
    atomicAdd(mine + v.z, 1);
    atomicAdd(mine + v.w, 1);
  }
  if (blockIdx.x == 0) {
    if (t < head) atomicAdd(mine + x[t], 1);
    int rest = head + 4 * words + t;
    if (rest < n) atomicAdd(mine + x[rest], 1);
  }
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 8; ++w) sum += own[w][t];
  if (sum) atomicAdd(&counts[t], sum);
}

__global__ void apply(const unsigned char* __restrict__ x, const int* __restrict__ counts, unsigned char* __restrict__ y, int n) {
  __shared__ int ends[8], low;
  __shared__ unsigned char table[256];
  int t = threadIdx.x, lane = t % 32, mine = counts[t], sum = mine;
  for (int step = 1; step < 32; step *= 2) {
    int before = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += before;
  }
  if (lane == 31) ends[t / 32] = sum;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w) sum += ends[w];
  if (mine > 0 && sum == mine) low = mine;
  __syncthreads();
  table[t] = low == n ? t : sum < low ? 0 : (unsigned char)((unsigned)(sum - low) * 255ull / (unsigned)(n - low));
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) y[i] = table[x[i]];
}

void equalised(const unsigned char* x, unsigned char* y, int n) {
  int* counts;
  cudaMalloc(&counts, 256 * sizeof(int));
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  int blocks = (n + 1023) / 1024 < 528 ? (n + 1023) / 1024 : 528;
  count<<<blocks, 256>>>(x, counts, n);
  apply<<<blocks, 256>>>(x, counts, y, n);
  cudaFree(counts);
}
