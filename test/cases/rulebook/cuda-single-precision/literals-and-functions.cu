//@case {"kernel": "swish"}
__global__ void swish(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double scale = 1.0 / (1. + exp(-static_cast<double>(x[i])));  //@ fp64Instructions=4096
  y[i] = scale * x[i] + 1e-3 * 2.5f;
}
