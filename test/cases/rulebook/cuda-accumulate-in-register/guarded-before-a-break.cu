//@case {"kernel": "levels"}
__global__ void levels(const float* x, float* y, int rows, int width, int last) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) {
    for (int row = 0; row < rows; ++row)
      if (i < width) y[i] += x[row];  //@ globalStoreRequests=4096 globalLoadRequests=12288
    if (i >= width) break;
    y[i] = sqrtf(y[i]);
  }
}
