//@case {"kernel": "place", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}], "spec": {"inputs": {"knots": {"dtype": "float32", "shape": ["count"], "distribution": "sorted"}}}}
struct Knot { float at, value; };
__global__ void place(const float* wanted, const Knot* knots, float* out, int n, unsigned count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = wanted[i];
  unsigned k = 0;
  while (k + 1 < count && knots[k + 1].at <= x) ++k;  //@ instructions=12000 branches=3200
  out[i] = knots[k].value;
}
