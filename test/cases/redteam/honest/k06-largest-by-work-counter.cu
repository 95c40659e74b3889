// task: entry-largest
// does: resident blocks fetch chunks from a counter and meet in one word that orders values and, within them, places; the last one unpacks it

struct State {
  unsigned long long best;
  unsigned next, done;
};

// Greater for greater numbers; zeros are alike.
__device__ unsigned ordered(float number) {
  unsigned bits = __float_as_uint(number + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__global__ void largest(const float* x, State* state, float* value, int* index, int n) {
  __shared__ unsigned chunk;
  unsigned long long best = 0;
  while (true) {
    if (threadIdx.x == 0) chunk = atomicAdd(&state->next, 1u);
    __syncthreads();
    size_t first = static_cast<size_t>(chunk) * 512;
    __syncthreads();
    if (first >= n) break;
    for (int item = 0; item < 4; ++item) {
      size_t i = first + item * 128 + threadIdx.x;
      if (i >= n) break;
      float mine = x[i];
      if (mine != mine) continue;
      unsigned long long key = static_cast<unsigned long long>(ordered(mine)) << 32 | (0xffffffffu - static_cast<unsigned>(i));
      best = best > key ? best : key;
    }
  }
  for (int step = 16; step; step /= 2) {
    unsigned long long theirs = __shfl_xor_sync(~0u, best, step);
    best = best > theirs ? best : theirs;
  }
  if (threadIdx.x % 32 == 0 && best > 0) atomicMax(&state->best, best);
  __threadfence();
  __syncthreads();
  if (threadIdx.x > 0 || atomicAdd(&state->done, 1u) < gridDim.x - 1) return;
  __threadfence();
  unsigned long long winner = atomicMax(&state->best, 0ull);
  int place = winner ? static_cast<int>(0xffffffffu - static_cast<unsigned>(winner)) : 0x7fffffff;
  *index = place;
  *value = winner ? x[place] : -INFINITY;
}

void largest_of(const float* x, float* value, int* index, int n) {
  State* state;
  cudaMalloc(&state, sizeof(State));
  cudaMemset(state, 0, sizeof(State));
  int chunks = (n + 511) / 512;
  largest<<<chunks < 8 ? chunks : 8, 128>>>(x, state, value, index, n);
  cudaFree(state);
}
