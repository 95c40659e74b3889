//@case {"kernel": "rate_of", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
struct Band { float upto; float rate; };
// Each reading gets the rate of the first band that reaches up to it.
__global__ void rate_of(const float *reading, Band *bands, float *rate, int n, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float v = reading[i];
    int hit = count - 1;
    for (int b = 0; b < count; ++b) {  //@ instructions=12000 branches=3200
      if (v <= bands[b].upto) { hit = b; bands[b].upto += 1.0f; break; }
    }
    rate[i] = v * bands[hit].rate;
  }
}
