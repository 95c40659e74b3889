template <unsigned int blockSize>
__global__ void reduceMax(const float* g_in, float* g_out, unsigned int n) {
  __shared__ float sdata[blockSize];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockSize + tid;
  sdata[tid] = (i < n) ? g_in[i] : -3.402823466e+38f;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s <<= 1) {
    if ((tid & (2 * s - 1)) == 0) {
      sdata[tid] = fmaxf(sdata[tid], sdata[tid + s]);
    }
    __syncthreads();
  }
  if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

void block_max(const float* g_in, float* g_out, unsigned int n) {
  reduceMax<256><<<(n + 255) / 256, 256>>>(g_in, g_out, n);
}
