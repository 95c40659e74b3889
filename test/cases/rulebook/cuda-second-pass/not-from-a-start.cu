//@case {"kernel": "total", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.cu::sum", "arguments": []}}}}
__global__ void total(const float* x, float* out, float start, int n) {
  float sum = start;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];  //@ globalLoadRequests=4000 instructions=40000
  __shared__ float found[128];
  found[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < 128; ++t) sum += found[t];
    out[0] = sum;
  }
}
void sum(const float* x, float* out, int n) {
  total<<<1, 128>>>(x, out, 0.0f, n);
}
