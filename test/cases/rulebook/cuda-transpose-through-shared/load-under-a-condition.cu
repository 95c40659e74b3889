//@case {"kernel": "padded"}
// The array that is read has fewer rows than the one that is written: the condition goes with the load.
__global__ void padded(const float* x, float* y, int rows, int columns, int filled) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < columns && j < rows) {
    float v = 0.0f;
    if (j < filled) v = x[j * columns + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
    y[i * rows + j] = v; //@ globalStoreSectors=32768 globalStoreSectorsIdeal=4096
  }
}
void run(const float* x, float* y, int rows, int columns, int filled) {
  padded<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(x, y, rows, columns, filled);
}
