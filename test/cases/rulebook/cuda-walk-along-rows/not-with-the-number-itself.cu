//@case {"kernel": "turn"}
__global__ void turn(const float* x, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  int row = i % rows, column = i / rows;
  y[row * columns + column] = x[row * columns + column] + i;  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}
