//@case {"kernel": "smooth", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void smooth(float* heat, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) heat[i] = 0.5f * (heat[i] + heat[i + 1]);
}
void run(float* heat, int n, int steps) {
  for (int s = 0; s < steps; ++s) smooth<<<(n + 127) / 128, 128>>>(heat, n);
}
