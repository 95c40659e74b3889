//@case {"kernel": "mean"}
__global__ void mean(const float* x, float* y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = 0; c < width; ++c) sum += x[row * width + c];  //@ fp64Instructions=4096
  y[row] = sum / width;
}
