//@case {"kernel": "fold", "launches": []}
#define BINS 32
#define WIDE 128

__global__ void fold(const float* power, const unsigned char* phase, float* out, int n) {
  __shared__ float own[BINS][WIDE];
  __shared__ int seen[BINS * WIDE];
  const int t = threadIdx.x;
  for (int b = 0; b < BINS; ++b) own[b][t] = 0.0f, seen[b * WIDE + t] = 0;
  for (int i = blockIdx.x * WIDE + t; i < n; i += gridDim.x * WIDE) {
    const int bin = phase[i] & (BINS - 1);
    atomicAdd(&own[bin][t], power[i]);  //@ sharedAtomics=4000 sharedAtomicPasses=9000
    atomicMax(&seen[bin * WIDE + t], i);  //@ sharedAtomics=4000 sharedAtomicPasses=4000
  }
  __syncthreads();
  if (t < BINS) {
    float sum = 0.0f;
    for (int k = 0; k < WIDE; ++k) sum += own[t][k] + seen[t * WIDE + k];
    out[blockIdx.x * BINS + t] = sum;
  }
}

void run(const float* power, const unsigned char* phase, float* out, int n) {
  fold<<<64, WIDE>>>(power, phase, out, n);
}
