//@case {"kernel": "filtered"}
__global__ void filtered(const float* x, const float* taps, float* y, int n, int reach) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < reach; ++k) {  //@ instructions=9000
    if (k > i) continue;
    sum += taps[k] * x[i - k];
  }
  for (int k = 0; k < reach; ++k) {
    if (i + k < n) sum -= taps[k] * x[i + k];
  }
  y[i] = sum;
}
