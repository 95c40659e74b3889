//@case {"kernel": "fold", "launches": []}
__global__ void fold(const float* power, float* out, int n) {
  __shared__ float own[128];
  own[127 - threadIdx.x] = 0.0f;
  atomicAdd(&own[threadIdx.x], power[threadIdx.x]);  //@ sharedAtomics=4000 sharedAtomicPasses=9000
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = own[threadIdx.x];
}

void run(const float* power, float* out, int n) { fold<<<64, 128>>>(power, out, n); }
