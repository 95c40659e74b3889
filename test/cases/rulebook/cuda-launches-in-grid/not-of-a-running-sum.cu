//@case {"kernel": "add", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void add(float* x, int row, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[row * n + i] += x[(row - 1) * n + i];
}
void run(float* x, int rows, int n) {
  for (int r = 1; r < rows; ++r) add<<<(n + 127) / 128, 128>>>(x, r, n);
}
