//@case {"kernel": "viscosity", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// rows: ascending
__global__ void viscosity(const float* rows, int count, const float* heats, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float heat = heats[i];
  if (heat > rows[count - 1]) return;
  int k = 0;
  while (rows[k] <= heat) ++k;  //@ instructions=12000 branches=3200
  out[i] = k;
}
