// task: entry-rr08-ell
// does: four threads of a block share a row and add up in shared memory in a fixed order; only the order of the sum is another, one thread alone writes y, and no thread leaves before the barrier

__global__ void ell(const int* column, const float* value, const float* x, float* y, int rows, int width, float alpha, float beta) {
  __shared__ float sums[4][64];
  int row = blockIdx.x * 64 + threadIdx.x;
  float sum = 0.0f;
  if (row < rows) {
#pragma unroll 2
    for (int k = threadIdx.y; k < width; k += 4) {
      int c = __ldg(column + k * rows + row);
      float v = __ldg(value + k * rows + row);
      if (c >= 0) sum = fmaf(v, __ldg(x + c), sum);
    }
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || row >= rows) return;
  sum = (sums[0][threadIdx.x] + sums[1][threadIdx.x]) + (sums[2][threadIdx.x] + sums[3][threadIdx.x]);
  y[row] = fmaf(alpha, sum, beta * y[row]);
}

void multiply(const int* column, const float* value, const float* x, float* y, int rows, int columns, int width, float alpha,
              float beta) {
  ell<<<(rows + 63) / 64, dim3(64, 4)>>>(column, value, x, y, rows, width, alpha, beta);
}
