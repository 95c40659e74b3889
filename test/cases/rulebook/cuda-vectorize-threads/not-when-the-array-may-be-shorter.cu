//@case {"kernel": "pad"}
__global__ void pad(const float* x, float* y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i < m ? x[i] : 0.0f; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}
void run(const float* x, float* y, int m, int n) { pad<<<(n + 255) / 256, 256>>>(x, y, m, n); }
