//@case {"kernel": "drawdown", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": []}}}}
__global__ void drawdown(const float* prices, float* falls, float* worst, int funds, int days) {
  int fund = blockIdx.x * blockDim.x + threadIdx.x;
  if (fund >= funds) return;
  float peak = 0.0f, deepest = 0.0f;
  for (int day = 0; day < days; ++day) {
    peak = fmaxf(peak, prices[fund * days + day]);  //@ globalLoadRequests=4096 globalLoadSectors=131072 globalLoadSectorsIdeal=16384
    falls[fund * days + day] = peak - prices[fund * days + day];  //@ globalStoreSectors=131072 globalStoreSectorsIdeal=16384
    if (falls[fund * days + day] > deepest) deepest = falls[fund * days + day];
  }
  worst[fund] = deepest;
}
