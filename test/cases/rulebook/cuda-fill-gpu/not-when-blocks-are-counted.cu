//@case {"kernel": "marks", "launches": [{"blocks": 8, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void marks(const float* x, float* y, int* block_of, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int t = 0; t < turns; ++t) sum = sum * 0.5f + x[i + t * n];  //@ instructions=40000
  y[i] = sum;
  block_of[i] = blockIdx.x;
}

void run(const float* x, float* y, int* block_of, int n, int turns) {
  marks<<<(n + 255) / 256, 256>>>(x, y, block_of, n, turns);
}
