//@case {"kernel": "totals"}
__global__ void totals(const float* x, float* y, int rows, int width) {
  int row = threadIdx.x / 32;
  y[row] = 0.0f;
  for (int column = 0; column < width; ++column)
    if (threadIdx.x == row * 32) y[row] += x[row * width + column];  //@ globalStoreRequests=4096 globalLoadRequests=12288
}
