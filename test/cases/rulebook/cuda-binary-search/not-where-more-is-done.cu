//@case {"kernel": "climb", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// steps are sorted
__global__ void climb(const float* steps, float* out, float x, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
  float sum = 0;
  while (k < length && steps[k] <= x) { sum += steps[k]; ++k; }  //@ instructions=12000 branches=3200
  out[i] = sum;
}
