//@case {"kernel": "rows"}
__global__ void rows(const float* in, float* out, int count, int n) {
  int row;
  row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= count) return;
  const float* x = in + row * n;
  float* y = &out[row * n];
  float most = *x;
  for (int j = 1; j < n; j++) most = fmaxf(most, x[j]);
  for (int j = 0; j < n; j++) y[j] = *(in + row * n + j) - most;
}
