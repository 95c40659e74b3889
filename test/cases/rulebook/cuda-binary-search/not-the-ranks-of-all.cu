//@case {"kernel": "ranks", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void ranks(const float* x, int* rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = 0;
  for (int k = 0; k < n; ++k)  //@ instructions=12000 branches=3200
    count += x[k] < x[i];
  rank[i] = count;
}
