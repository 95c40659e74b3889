//@case {"kernel": "positive"}
__global__ void positive(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float v = x[i];  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
  if (v > 0.0f)
    y[i] = v;  //@ instructions=10000 globalStoreRequests=2048 globalBytesRequested=262144
}

void run(const float* x, float* y, int n) {
  const dim3 block(128);
  positive<<<(n + block.x - 1) / block.x, block>>>(x, y, n);
}
