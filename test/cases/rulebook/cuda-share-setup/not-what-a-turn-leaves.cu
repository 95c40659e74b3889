//@case {"kernel": "mark", "launches": [{"blocks": 4000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 8192, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void mark(const int* x, const float* table, float* y, int n) {
  __shared__ float seen[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x)
    seen[k] = table[k]; //@ globalLoadRequests=32000 instructions=90000
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = seen[x[i]];
  seen[threadIdx.x] = 0.0f;
}
void run(const int* x, const float* table, float* y, int n) { mark<<<(n + 255) / 256, 256>>>(x, table, y, n); }
