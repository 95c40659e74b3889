//@case {"kernel": "fold", "launches": []}
__global__ void fold(const float* power, const unsigned char* phase, float* out, int n) {
  __shared__ float own[32][32];
  const int lane = threadIdx.x & 31;
  for (int b = threadIdx.x >> 5; b < 32; b += 4) own[b][lane] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    atomicAdd(&own[phase[i] & 31][lane], power[i]);  //@ sharedAtomics=4000 sharedAtomicPasses=9000
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = own[threadIdx.x][0];
}

void run(const float* power, const unsigned char* phase, float* out, int n) {
  fold<<<64, 128>>>(power, phase, out, n);
}
