//@case {"kernel": "lif_step", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void lif_step(float* v, const float* current, unsigned char* spikes, float decay, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float u = v[i] * decay + current[t * n + i];
  bool fired = u >= 1.0f;
  v[i] = fired ? 0.0f : u;
  spikes[(t + 1) * n + i] = fired;
}
void simulate(float* v, const float* current, unsigned char* spikes, int n, int steps) {
  for (int t = 0; t < steps; ++t) lif_step<<<(n + 127) / 128, 128>>>(v, current, spikes, 0.9f, n, t);
}
