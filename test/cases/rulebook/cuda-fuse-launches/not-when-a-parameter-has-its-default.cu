//@case {"kernel": "scale"}
__global__ void scale(const float* x, float* y, int n, float by = 2.0f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by;  //@ globalStoreRequests=600 globalStoreSectors=9000 globalLoadSectors=9000
}

__global__ void shift(const float* x, float* z, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + by;  //@ globalStoreRequests=600 globalStoreSectors=9000 globalLoadSectors=9000
}

void run(const float* x, float* y, float* z, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, y, n);
  shift<<<(n + 255) / 256, 256>>>(y, z, 1.0f, n);
}
