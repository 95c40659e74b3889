//@case {"kernel": "count"}
struct Tally { int low, high; };
__device__ void inc(int* counter) { atomicAdd(counter, 1); }
__device__ void both(unsigned* at, Tally* tally, bool high) {
  atomicAdd(at, high ? 2u : 1u);
  if (high) atomicAdd(&tally->high, 1);
}
template <unsigned BINS, class T>
struct Bins {
  unsigned* counts;
  __device__ void add(int bin) const { if (bin >= 0 && bin < BINS) atomicAdd(&counts[bin], 1u); }
};
__global__ void count(const int* keys, int* table, Bins<64u, float> bins, Tally* tallies, unsigned* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int d = keys[i] & 15;
    inc(&table[d]);
    bins.add(d * 4);
    both(&sums[d], &tallies[0], d > 7);
  }
}
