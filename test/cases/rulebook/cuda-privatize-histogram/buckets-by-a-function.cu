//@case {"kernel": "latencies"}
namespace stat {
__host__ __device__ inline int bucketOf(unsigned ns) {
  if (ns < 4u) return static_cast<int>(ns);
#ifdef __CUDA_ARCH__
  const int top = 31 - __clz(static_cast<int>(ns));
#else
  const int top = 31 - __builtin_clz(ns);
#endif
  return ((top - 1) << 2) + ((ns >> (top - 2)) & 3);
}

template <typename CountT>
__global__ void latencies(const unsigned* __restrict__ sent, const unsigned* __restrict__ got, size_t n, CountT* __restrict__ buckets) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned ns = got[i] - sent[i];
    atomicAdd(&buckets[bucketOf(ns)], CountT(1));  //@ globalAtomics=32768 globalAtomicPasses=250000
  }
}

void add(const unsigned* sent, const unsigned* got, size_t n, unsigned long long* buckets) {
  latencies<unsigned long long><<<512, 256>>>(sent, got, n, buckets);
}
}  // namespace stat
