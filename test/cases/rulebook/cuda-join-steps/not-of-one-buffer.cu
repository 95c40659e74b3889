//@case {"kernel": "mix", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void mix(float* now, const float* old, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) now[i] = 0.5f * (now[i] + old[i]);
}
void run(float* heat, int n, int steps) {
  for (int s = 0; s < steps; ++s) mix<<<(n + 127) / 128, 128>>>(heat, heat + n / 2, n);
}
