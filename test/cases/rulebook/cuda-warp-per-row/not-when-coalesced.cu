//@case {"kernel": "column_sums"}
__global__ void column_sums(const float* x, float* sums, int rows, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += x[row * width + column];  //@ globalLoadSectors=1024 globalLoadSectorsIdeal=1024
  sums[column] = sum;
}

void run(const float* x, float* sums, int rows, int width) {
  column_sums<<<(width + 127) / 128, 128>>>(x, sums, rows, width);
}
