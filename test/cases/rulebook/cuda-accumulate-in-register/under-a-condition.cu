//@case {"kernel": "sums"}
__global__ void sums(const float* x, float* y, int rows, int width, bool all) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (all && column < width)
    for (int row = 0; row < rows; ++row)
      if (x[row * width + column] > 0) y[column] += x[row * width + column];  //@ globalStoreRequests=4096 globalLoadRequests=12288
}
