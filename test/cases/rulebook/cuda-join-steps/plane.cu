//@case {"kernel": "react", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void react(float* u, float* v, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int at = y * w + x;
  float a = u[at], b = v[at];
  u[at] = a - 0.1f * a * b * b;
  v[at] = b + 0.1f * a * b * b;
}
void run(float* u, float* v, int w, int h, int steps) {
  dim3 block(32, 4);
  dim3 grid((w + 31) / 32, (h + 3) / 4);
  for (int s = 0; s < steps; ++s) react<<<grid, block>>>(u, v, w, h);
}
