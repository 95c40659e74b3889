//@case {"kernel": "axpy"}
__global__ void axpy(float a, const float* __restrict__ x, const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    z[i] = a * x[i] + y[i];  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
  }
}

void run(float a, const float* x, const float* y, float* z, int n) {
  const int threads = 256;
  axpy<<<blocks_for(n), threads>>>(a, x, y, z, n);
}
