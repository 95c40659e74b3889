//@case {"kernel": "delayed"}
__global__ void delayed(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float held[4];
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    held[j % 4] = x[j];
    if (j < i) continue;
    sum += held[(j + 1) % 4];
  }
  y[i] = sum;
}
