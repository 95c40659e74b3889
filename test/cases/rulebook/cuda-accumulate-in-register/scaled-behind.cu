//@case {"kernel": "levels"}
__global__ void levels(const float* x, float* y, int rows, int width, int last) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width; i += gridDim.x * blockDim.x) {
    if (last > 0) {
      for (int row = 0; row < rows; ++row) {
        if (x[row * width + i] < 0) continue;
        if (row + i < width) y[i] += x[row * width + i];  //@ globalStoreRequests=4096 globalLoadRequests=12288
      }
    }
    y[i] = sqrtf(y[i]);
  }
}
