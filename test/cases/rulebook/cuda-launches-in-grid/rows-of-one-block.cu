//@case {"kernel": "centre", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
template <typename T>
__global__ void __launch_bounds__(128) centre(const T* __restrict__ in, T* __restrict__ out, int n) {
  __shared__ T part[128];
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += 128) out[i] = in[i] - part[0] / n;
}
void run(const float* in, float* out, int rows, int n, cudaStream_t stream) {
  for (int r = 0; r < rows; ++r) {
    const size_t at = static_cast<size_t>(r) * n;
    centre<float><<<1, 128, 0, stream>>>(in + at, out + at, n);
  }
}
