//@case {"kernel": "row_sum"}
template <typename T, int BLOCK = 128>
__global__ void row_sum(const T* a, T* sums, int rows, int n) {
  const int row = BLOCK * blockIdx.x + threadIdx.x;
  T sum = 0;
  if (row < rows) {
    for (int k = 0; k < n; k += 1) sum += a[row * n + k];
    sums[row] = sum / BLOCK;
  }
}

void launch(const float* a, float* sums, int rows, int n) {
  constexpr int kBlock = 64;
  row_sum<float, kBlock><<<(rows + kBlock - 1) / kBlock, kBlock>>>(a, sums, rows, n);
  row_sum<float><<<(rows + 127) / 128, 128>>>(a, sums, rows, n);
}
