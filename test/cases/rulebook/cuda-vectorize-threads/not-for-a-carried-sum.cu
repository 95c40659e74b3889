//@case {"kernel": "total"}
__global__ void total(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += x[i];  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
    y[i] = sum;
  }
}

void run(const float* x, float* y, int n) { total<<<16, 256>>>(x, y, n); }
