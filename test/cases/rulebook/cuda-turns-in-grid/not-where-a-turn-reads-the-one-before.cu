//@case {"kernel": "step_field", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["u", {"value": "n", "dtype": "int32"}, {"value": "steps", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "steps": 64}}]}, "launches": [{"kernel": "step_field", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void step_field(float* u, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int t = 1; t < steps; ++t) { //@ instructions=3000000
    u[t * n + i] = 0.5f * u[(t - 1) * n + i]; //@ instructions=3000000
  }
}
void run(float* u, int n, int steps) { step_field<<<n / 128, 128>>>(u, n, steps); }
