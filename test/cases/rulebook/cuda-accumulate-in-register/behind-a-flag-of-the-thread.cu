//@case {"kernel": "pair_sums"}
__global__ void pair_sums(const float* traces, float* sums, int count, int length) {
  const int one = blockIdx.x * blockDim.x + threadIdx.x, other = blockIdx.y;
  const int at = other * count + one;
  const bool isPair = one < count && one > other;
  for (int from = 0; from < length; from += 16) {
    __syncthreads();
    if (isPair) {
      for (int i = from; i < from + 16 && i < length; ++i)
        sums[at] += traces[one * length + i] * traces[other * length + i];  //@ globalStoreRequests=4096 globalLoadRequests=12288
    }
    __syncthreads();
  }
}
