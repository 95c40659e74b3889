//@case {"kernel": "smooth", "launches": [{"blocks": 4000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 8192, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void smooth(const float* x, float* y, int n) {
  __shared__ float near[258];
  for (int k = threadIdx.x; k < 258; k += blockDim.x)
    near[k] = x[min(blockIdx.x * 256 + k, n - 1)]; //@ globalLoadRequests=32000 instructions=90000
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = near[threadIdx.x] + near[threadIdx.x + 1] + near[threadIdx.x + 2];
}
void run(const float* x, float* y, int n) { smooth<<<(n + 255) / 256, 256>>>(x, y, n); }
