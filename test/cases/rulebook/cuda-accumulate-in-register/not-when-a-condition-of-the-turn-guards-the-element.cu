//@case {"kernel": "sums"}
__global__ void sums(const float* x, float* y, int rows, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < rows; ++row)
    if (column + row < width) y[column] += x[row * width + column];  //@ globalStoreRequests=4096 globalLoadRequests=12288
}
