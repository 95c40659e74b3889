__global__ void bins_shared(const unsigned char* __restrict__ v, unsigned* bins, int n16) {
  __shared__ unsigned own[8][257];
  for (int i = threadIdx.x; i < 8 * 257; i += blockDim.x) (&own[0][0])[i] = 0;
  __syncthreads();
  unsigned* mine = own[threadIdx.x / 32];
  const uint4* p = reinterpret_cast<const uint4*>(v);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += gridDim.x * blockDim.x) {
    uint4 u = p[i];
    unsigned w[4] = {u.x, u.y, u.z, u.w};
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
      for (int b = 0; b < 4; ++b) atomicAdd(mine + ((w[k] >> (8 * b)) & 255), 1u);
  }
  __syncthreads();
  unsigned s = 0;
  for (int k = 0; k < 8; ++k) s += own[k][threadIdx.x];
  if (s) atomicAdd(bins + threadIdx.x, s);
}
