//@case {"kernel": "scale"}
__global__ void scale(const float* x, const float* by, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by[blockIdx.x]; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}
void run(const float* x, const float* by, float* y, int n) { scale<<<(n + 255) / 256, 256>>>(x, by, y, n); }
