//@case {"kernel": "kept"}
__global__ void kept(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (x[i] < 0.0f) return;
    y[i] = x[i];  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
  }
}

void run(const float* x, float* y, int n) { kept<<<(n + 255) / 256, 256>>>(x, y, n); }
