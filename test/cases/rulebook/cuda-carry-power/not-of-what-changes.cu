//@case {"kernel": "grow"}
__global__ void grow(float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float base = x[i];
  for (int k = 0; k < n; ++k) {
    y[k] = powf(base, k);  //@ instructions=50000
    base += 0.5f;
  }
  for (int k = 0; k < n; ++k) y[k] += powf(x[i], k);  //@ instructions=50000
}
