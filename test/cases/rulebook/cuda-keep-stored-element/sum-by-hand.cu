//@case {"kernel": "blend"}
__global__ void blend(const float* a, const float* b, const float* c, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a[i];  //@ globalStoreRequests=1024
  y[i] += b[i];
  y[i] *= c[i];
}
