// Counts numbers in bins: in shared memory first, then all blocks together.

constexpr int kBins = 256;

extern "C" __global__ void histogram(const unsigned* numbers, unsigned* bins, int count) {
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x) atomicAdd(&own[numbers[at] % kBins], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
