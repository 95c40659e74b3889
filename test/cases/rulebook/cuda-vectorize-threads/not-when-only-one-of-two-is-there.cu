//@case {"kernel": "evens"}
__global__ void evens(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[2 * i]; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}
void run(const float* x, float* y, int n) { evens<<<(n + 255) / 256, 256>>>(x, y, n); }
