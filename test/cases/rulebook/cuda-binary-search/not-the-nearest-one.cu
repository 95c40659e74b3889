//@case {"kernel": "nearest", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// codes are sorted
__global__ void nearest(const float* x, const float* codes, int* code, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int at = 0;
  for (int e = 0; e < k; ++e) {  //@ instructions=12000 branches=3200
    if (codes[e] < best) { best = codes[e]; at = e; }
  }
  code[i] = at;
}
