//@case {"kernel": "gathered"}
__global__ void gathered(const float* x, const int* order, float* y, int rows, int columns) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < columns && j < rows) {
    int from = order[j];
    y[i * rows + j] = x[from * columns + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
  }
}
void run(const float* x, const int* order, float* y, int rows, int columns) {
  gathered<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(x, order, y, rows, columns);
}
