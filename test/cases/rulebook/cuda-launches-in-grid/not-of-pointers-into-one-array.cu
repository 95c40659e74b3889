//@case {"kernel": "fill", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
__global__ void fill(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}
void run(float* out, int rows, int n) {
  for (int r = 1; r < rows; ++r) {
    float* here = out + r * n;
    fill<<<(n + 127) / 128, 128>>>(here, out + (r - 1) * n, n);
  }
}
