//@case {"kernel": "viscosity", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
struct Row { float heat, value; };
// rows: ascending by heat
__global__ void viscosity(const Row* rows, int count, const float* heats, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float heat = heats[i];
  if (heat <= rows[0].heat) {
    out[i] = rows[0].value;
  } else if (heat >= rows[count - 1].heat) {
    out[i] = rows[count - 1].value;
  } else {
    int k = 0;
    while (rows[k + 1].heat <= heat) ++k;  //@ instructions=12000 branches=3200
    out[i] = rows[k].value;
  }
}
