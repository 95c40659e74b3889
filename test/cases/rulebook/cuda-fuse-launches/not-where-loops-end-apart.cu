//@case {"kernel": "second"}
__global__ void first(const float* x, float* t, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) t[i] = 2.0f * x[i];  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
}
__global__ void second(const float* t, float* y, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += blockDim.x * gridDim.x) y[i] = t[i] + 1.0f;  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
}
void run(const float* x, float* t, float* y, int n, int m) {
  first<<<256, 128>>>(x, t, n);
  second<<<256, 128>>>(t, y, m);
}
