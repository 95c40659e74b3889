//@case {"kernel": "above", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__constant__ float limits[] = {0.1f, 0.25f, 0.5f, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
__global__ void above(const float* x, int* level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = 0;
  for (int k = 12; k >= 0; --k)  //@ instructions=12000 branches=3200
    if (limits[k] > x[i]) count++;
  level[i] = count;
}
