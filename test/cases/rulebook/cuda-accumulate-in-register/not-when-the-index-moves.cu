//@case {"kernel": "levels"}
__global__ void levels(const float* x, float* y, int rows, int width, int far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 0.0f;
  i += far;
  for (int row = 0; row < rows; ++row)
    if (i < width) y[i] += x[row];  //@ globalStoreRequests=4096 globalLoadRequests=12288
}
