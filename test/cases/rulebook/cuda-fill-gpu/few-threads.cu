//@case {"kernel": "worst_drop", "launches": [{"blocks": 8, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void worst_drop(const float* prices, float* drops, int funds, int days) {
  unsigned fund = blockIdx.x * blockDim.x + threadIdx.x;
  if (fund >= funds) return;
  float peak = 0.0f, drop = 0.0f;
  for (int day = 0; day < days; ++day) {
    peak = fmaxf(peak, prices[fund * days + day]);  //@ instructions=40000
    drop = fmaxf(drop, peak - prices[fund * days + day]);
  }
  drops[fund] = drop;
}

void run(const float* prices, float* drops, int funds, int days) {
  worst_drop<<<(funds + 255) / 256, 256>>>(prices, drops, funds, days);
}
