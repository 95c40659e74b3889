//@case {"kernel": "twice"}
__global__ void twice(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0 * x[i];  //@ fp64Instructions=4096
}
