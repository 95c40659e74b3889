//@case {"kernel": "place", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// knots ascend; the caller makes sure that x lies among them
__global__ void place(const float* wanted, const float* knots, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
  while (knots[k + 1] <= wanted[i]) ++k;  //@ instructions=12000 branches=3200
  out[i] = k;
}
