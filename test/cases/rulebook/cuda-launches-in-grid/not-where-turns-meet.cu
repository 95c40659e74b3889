//@case {"kernel": "carry", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void carry(const float* before, float* after, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) after[i] = 0.5f * before[i];
}
void run(float* state, int steps, int n) {
  for (int t = 1; t < steps; ++t) carry<<<(n + 127) / 128, 128>>>(state + (t - 1) * n, state + t * n, n);
}
