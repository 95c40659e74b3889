//@case {"kernel": "steps", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__device__ int level(const float* ends, int n, float v) {
  for (int k = 0; k < n; ++k)  //@ instructions=12000 branches=3200
    if (v < ends[k]) return k;
  return n;
}
// cdf is sorted
__global__ void steps(const float* draws, const float* cdf, int* state, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] = level(cdf, k, draws[i]);
}
