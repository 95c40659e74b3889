//@case {"kernel": "twice"}
__global__ void twice(float* x, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row < rows) x[row * width + column] *= 2.0f;  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}
