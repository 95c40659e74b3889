//@case {"kernel": "gamma"}
__global__ void gamma(const float* x, float* y, float exponent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = powf(x[i], 2.2f) + powf(x[i], exponent);  //@ instructions=40960
}
