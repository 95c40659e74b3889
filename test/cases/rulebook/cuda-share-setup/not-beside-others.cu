//@case {"kernel": "curve", "launches": [{"blocks": 4000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 8192, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void curve(const float* v, const float* knots, float* out, int count) {
  __shared__ float near[512];
  for (int t = threadIdx.x; t < 512; t += 256)
    near[t] = knots[t]; //@ globalLoadRequests=32000 instructions=90000
  __syncthreads();
  int at = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
  if (at >= count) return;
  out[at] = near[(int)v[at]] + lane;
}
void run(const float* v, const float* knots, float* out, int count) {
  curve<<<(count + 255) / 256, 256>>>(v, knots, out, count);
}
