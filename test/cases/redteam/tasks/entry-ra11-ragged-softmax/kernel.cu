// Softmax of rows of any length that lie row behind row.
__global__ void ragged(const int* offsets, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int from = offsets[row], to = offsets[row + 1];
  float largest = -INFINITY, sum = 0.0f;
  for (int i = from; i < to; ++i) largest = fmaxf(largest, x[i]);
  for (int i = from; i < to; ++i) sum += expf(x[i] - largest);
  for (int i = from; i < to; ++i) y[i] = expf(x[i] - largest) / sum;
}

void softmaxes(const int* offsets, const float* x, float* y, int rows, int total) {
  ragged<<<(rows + 31) / 32, 32>>>(offsets, x, y, rows);
}
