__global__ void column_sums(const float* m, float* s, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cols) {
    for (int r = 0; r < rows; r++) {
      s[c] += m[r * cols + c];
    }
  }
}
void sums(const float* m, float* s, int rows, int cols) { column_sums<<<(cols + 127) / 128, 128>>>(m, s, rows, cols); }
