__global__ void row_means(const float *__restrict__ data, float *__restrict__ means, int rows, int cols)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int col = 0; col < cols; ++col)
      sum += data[row * cols + col];
    means[row] = sum / cols;
  }
}
