__inline__ __device__ float warpSum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
__global__ void sum_all(const float4* __restrict__ x, float* out, int n4) {
  float s = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += blockDim.x * gridDim.x) {
    float4 v = x[i];
    s += (v.x + v.y) + (v.z + v.w);
  }
  __shared__ float part[8];
  s = warpSum(s);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < 8 ? part[threadIdx.x] : 0.f;
    s = warpSum(s);
    if (threadIdx.x == 0) atomicAdd(out, s);
  }
}
