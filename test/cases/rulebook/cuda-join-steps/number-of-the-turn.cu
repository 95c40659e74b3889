//@case {"kernel": "decay", "gaps": 600, "launches": [{"blocks": 64, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void decay(float2* state, const float* forcing, const unsigned int t, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float2 now = state[i];
    now.x += 0.1f * now.y;
    now.y += 0.1f * (forcing[t] - now.x);
    state[i] = now;
  }
}
void run(float2* state, const float* forcing, int n, int steps) {
  for (unsigned int t = 1; t <= steps; t++) {
    decay<<<64, 128>>>(state, forcing, t, n);
    cudaGetLastError();
  }
}
