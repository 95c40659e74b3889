// Segment maxima. The scratch buffer is sized for the worst case.
__global__ void segment_max(const float* __restrict__ v, float* __restrict__ m, int segLen) {
  __shared__ float scratch[12000];
  const float* seg = v + (size_t)blockIdx.x * segLen;
  float best = -3.4e38f;
  for (int i = threadIdx.x; i < segLen; i += 64) best = fmaxf(best, seg[i]);
  scratch[threadIdx.x] = best;
  __syncthreads();
  if (threadIdx.x < 32) {
    best = fmaxf(scratch[threadIdx.x], scratch[threadIdx.x + 32]);
    for (int o = 16; o; o >>= 1) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, o));
    if (threadIdx.x == 0) m[blockIdx.x] = best;
  }
}
void segmentMax(const float* v, float* m, int segs, int segLen) { segment_max<<<segs, 64>>>(v, m, segLen); }
