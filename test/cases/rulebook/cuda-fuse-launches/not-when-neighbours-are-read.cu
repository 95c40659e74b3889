//@case {"kernel": "shift"}
__global__ void scale(const float* x, float* y, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by;  //@ globalStoreRequests=600 globalStoreSectors=9000
}

__global__ void shift(const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) z[i] = y[i + 1];  //@ globalStoreRequests=600 globalLoadSectors=9000
}

void run(const float* x, float* y, float* z, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, y, 2.0f, n);
  shift<<<(n + 255) / 256, 256>>>(y, z, n);
}
