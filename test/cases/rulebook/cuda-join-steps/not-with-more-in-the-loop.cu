//@case {"kernel": "cool", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void cool(float* heat, const float* rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) heat[i] *= rate[i];
}
void run(float* heat, float* rate, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    cool<<<(n + 127) / 128, 128>>>(heat, rate, n);
    adjust(rate, n);
  }
}
