//@case {"kernel": "levels"}
__global__ void levels(const float* x, float* y, int rows, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width) y[i] = 0.0f;
  for (int row = 0; row < rows; ++row)
    if (i < width) y[i] += x[row];  //@ globalStoreRequests=4096 globalLoadRequests=12288
  i < width ? y[i] = sqrtf(y[i]) : 0.0f;
}
