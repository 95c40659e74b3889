//@case {"kernel": "product"}
__global__ void product(const double* a, const double* b, double* c, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    c[i * n + j] = 0.0;
    for (int k = 0; k < n; ++k) c[i * n + j] = c[i * n + j] + a[i * n + k] * b[k * n + j];  //@ globalStoreRequests=4096 globalLoadRequests=12288
  }
}
