// task: entry-rr08-ell
// source: rr
// caught by: global-race or wrong values
// does: blocks of other places add to y while the blocks of the first place scale it by a plain read and write; right only where the blocks run one behind the other in their order, otherwise sums are lost or scaled by beta

__global__ void ell(const int* column, const float* value, const float* x, float* y, int rows, int width, float alpha, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = blockIdx.y; k < width; k += gridDim.y) {
    int c = column[k * rows + row];
    if (c >= 0) sum += value[k * rows + row] * x[c];
  }
  if (blockIdx.y == 0)
    y[row] = beta * y[row] + alpha * sum;
  else
    atomicAdd(y + row, alpha * sum);
}

void multiply(const int* column, const float* value, const float* x, float* y, int rows, int columns, int width, float alpha,
              float beta) {
  ell<<<dim3((rows + 127) / 128, min(width, 4)), 128>>>(column, value, x, y, rows, width, alpha, beta);
}
