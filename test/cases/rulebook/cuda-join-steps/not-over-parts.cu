//@case {"kernel": "scale", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
void run(float* x, int n, int parts) {
  for (int p = 0; p < parts; ++p) scale<<<(n + 127) / 128, 128>>>(x + p * n, n);
}
