//@case {"kernel": "lines", "facts": {"kernel": "lines<double, 32>"}}
template <typename Real, int Count>
__global__ void lines(const Real* x, Real* y, Real by) {
  __shared__ Real row[Count][32];
  const int first = blockIdx.x * Count;
  for (int r = 0; r < Count; ++r) row[r][threadIdx.x] = x[(first + r) * 32 + threadIdx.x];
  __syncthreads();
  Real last = 0;
  for (int k = 0; k < 32; ++k) {
    last = by * last + row[threadIdx.x][k];  //@ sharedWavefronts=4096 sharedWavefrontsIdeal=128
    y[(first + threadIdx.x) * 32 + k] = last;
  }
}
template __global__ void lines<double, 32>(const double*, double*, double);
