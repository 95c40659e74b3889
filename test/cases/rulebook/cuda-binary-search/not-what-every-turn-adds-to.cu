//@case {"kernel": "tax", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// bracket is sorted
__global__ void tax(const float* income, const float* bracket, const float* rate, float* due, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int b = 0; b < k; ++b)  //@ instructions=12000 branches=3200
    if (income[i] > bracket[b]) sum += (income[i] - bracket[b]) * rate[b];
  due[i] = sum;
}
