//@case {"kernel": "pair"}
__global__ void pair(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float both[2] = {x[i], x[i + n]};
  y[i] = both[0] + both[1];
}
