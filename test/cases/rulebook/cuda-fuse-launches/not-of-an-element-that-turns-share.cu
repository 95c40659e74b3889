//@case {"kernel": "second"}
__global__ void first(const float* x, float* t, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    t[blockIdx.x * blockDim.x + threadIdx.x] += x[i];  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
}
__global__ void second(const float* t, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = t[blockIdx.x * blockDim.x + threadIdx.x];  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
}
void run(const float* x, float* t, float* y, int n) {
  first<<<256, 128>>>(x, t, n);
  second<<<256, 128>>>(t, y, n);
}
