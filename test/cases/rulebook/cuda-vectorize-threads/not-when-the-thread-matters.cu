//@case {"kernel": "ramp"}
__global__ void ramp(const float* x, float* y, int n) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  y[i] = x[i] * t;  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}

void run(const float* x, float* y, int n) { ramp<<<(n + 255) / 256, 256>>>(x, y, n); }
