//@case {"kernel": "scale"}
__global__ void scale(const float* x, float* y, float a, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int i = first; i < first + 8 && i < n; i++) y[i] = a * x[i];
  for (int i = first; i < n && x[i] > 0; i++) y[i] = a * x[i];
}
