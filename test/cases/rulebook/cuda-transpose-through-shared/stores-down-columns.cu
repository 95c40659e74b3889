//@case {"kernel": "transpose"}
__global__ void transpose(const float* x, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < columns) y[i * rows + j] = x[j * columns + i];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}
void run(const float* x, float* y, int rows, int columns) {
  transpose<<<dim3((columns + 63) / 64, rows), 64>>>(x, y, rows, columns);
}
