//@case {"kernel": "above"}
__global__ void above(const float* x, float* y, int n, float floor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    if (j < floor) continue;
    if (x[j] > x[i]) sum += x[j];
  }
  y[i] = sum;
}
