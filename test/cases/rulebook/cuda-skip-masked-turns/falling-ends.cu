//@case {"kernel": "echoes"}
__global__ void echoes(const float* x, float* y, int n) {
  int lag = blockIdx.x * blockDim.x + threadIdx.x;
  if (lag >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {  //@ instructions=9000
    if (i + lag < n) sum += x[i] * x[i + lag];
  }
  y[lag] = sum;
}
