//@case {"kernel": "bucketize", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void bucketize(const float* __restrict__ reading, const float* __restrict__ cuts /* sorted */, int* bucket,
                          int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = reading[i];
  int b = 0;
  for (int e = 0; e < k; ++e) {  //@ instructions=12000 branches=3200
    if (v >= cuts[e]) b = e + 1;
  }
  bucket[i] = b;
}
