//@case {"kernel": "filtered", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["x", "y", {"value": "n", "dtype": "int32"}, {"value": "turns", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "turns": 64}}]}, "launches": [{"kernel": "filtered", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void filtered(const float* x, float* y, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float state = 0.0f;
  for (int t = 0; t < turns; ++t) { //@ instructions=3000000
    state = 0.9f * state + x[t * n + i]; //@ instructions=3000000
    y[t * n + i] = state;
  }
}
void run(const float* x, float* y, int n, int turns) { filtered<<<n / 128, 128>>>(x, y, n, turns); }
