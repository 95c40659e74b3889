//@case {"kernel": "norm"}
__global__ void norm(float* x, const float* bias, float* out, int n) {
  const int base = blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    x[base + i] = x[base + i] + bias[base + i]; //@ instructions=40000 globalLoadRequests=4000 globalLoadSectors=16000 globalStoreRequests=2000 globalStoreSectors=8000 globalBytesRequested=512000
  }
  __syncthreads();
  for (int c = threadIdx.x; c < n; c += blockDim.x)
    out[base + c] = x[base + n - 1 - c]; //@ instructions=40000 globalLoadRequests=4000 globalLoadSectors=8000 globalStoreRequests=2000 globalStoreSectors=4000 globalBytesRequested=384000
}
void run(float* x, const float* bias, float* out, int rows, int n) { norm<<<rows, 256>>>(x, bias, out, n); }
