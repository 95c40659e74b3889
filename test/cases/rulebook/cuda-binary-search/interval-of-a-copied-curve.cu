//@case {"kernel": "calibrate", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
#define KNOTS 96
__global__ void calibrate(const float* raw, const float* knot /* increasing */, const float* level, float* out, unsigned count) {
  __shared__ float xs[KNOTS], ys[KNOTS];
  for (int j = threadIdx.x; j < KNOTS; j += blockDim.x) {
    xs[j] = knot[j];
    ys[j] = level[j];
  }
  __syncthreads();
  unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const float x = raw[p];
  float y = ys[0];
#pragma unroll 4
  for (int j = KNOTS - 2; j >= 0; j--) {  //@ instructions=12000 branches=3200
    if (!(xs[j] <= x) || x >= xs[j + 1]) continue;
    const float w = (x - xs[j]) / (xs[j + 1] - xs[j]);
    y = ys[j] + w * (ys[j + 1] - ys[j]);
    break;
  }
  out[p] = y;
}
