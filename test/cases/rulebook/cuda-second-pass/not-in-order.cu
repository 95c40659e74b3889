//@case {"kernel": "decay", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.cu::run", "arguments": []}}}}
__global__ void decay(const float* x, float* out, int n) {
  float level = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) level = 0.5f * level + x[i];  //@ globalLoadRequests=4000 instructions=40000
  __shared__ float found[128];
  found[threadIdx.x] = level;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < 128; ++t) level += found[t];
    out[0] = level;
  }
}
void run(const float* x, float* out, int n) {
  decay<<<1, 128>>>(x, out, n);
}
