//@case {"kernel": "sums"}
__global__ void sums(const float* x, float* y, int rows, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row)
    sum += x[row * width + column];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
  y[column] = sum;
}
