//@case {"kernel": "last", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void last(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
void run(const float* in, float* out, int rows, int n) {
  for (int r = 0; r < rows; ++r) last<<<(n + 127) / 128, 128>>>(in + r * n, out, n);
}
