//@case {"kernel": "last_value", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["x", "y", {"value": "n", "dtype": "int32"}, {"value": "turns", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "turns": 64}}]}, "launches": [{"kernel": "last_value", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void last_value(const float* x, float* y, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int t = 0; t < turns; ++t) { //@ instructions=3000000
    if (x[t * n + i] > 0.0f) y[i] = x[t * n + i]; //@ instructions=3000000
  }
}
void run(const float* x, float* y, int n, int turns) { last_value<<<n / 128, 128>>>(x, y, n, turns); }
