//@case {"kernel": "levels", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void levels(const float* x, float* edge, int* level, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  for (int e = 0; e < k; ++e)  //@ instructions=12000 branches=3200
    if (x[i] >= edge[e]) { found = e; edge[e] += 1.0f; }
  level[i] = found;
}
