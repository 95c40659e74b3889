//@case {"kernel": "curve", "launches": [{"blocks": 4000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 8192, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
struct Knot { float x, y; };
__global__ void curve(const float* v, const Knot* knots, float* out, unsigned count) {
  __shared__ Knot near[512];
  unsigned t = threadIdx.x;
  while (t < 512) {
    near[t] = knots[t]; //@ globalLoadRequests=32000 instructions=90000
    t += blockDim.x;
  }
  __syncthreads();
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) {
    const int k = (int)v[at];
    out[at] = near[k].y + (v[at] - near[k].x);
  }
}
void run(const float* v, const Knot* knots, float* out, unsigned count) {
  curve<<<(count + 255) / 256, 256>>>(v, knots, out, count);
}
