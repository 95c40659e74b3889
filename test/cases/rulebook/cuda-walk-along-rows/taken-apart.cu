//@case {"kernel": "scale_columns"}
__global__ void scale_columns(const float* x, const float* factor, float* y, int rows, int columns) {
  const int total = rows * columns;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int row = i % rows;
  int column = i / rows;
  y[row * columns + column] = x[row * columns + column] * factor[column];  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}
