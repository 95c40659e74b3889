//@case {"kernel": "inner"}
// Points inside of a border, as in code that counts from one.
__global__ void inner(const float* x, float* y, int rows, int columns) {
  int i = 1 + blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y + 1;
  if (i < columns - 1 && j <= rows) y[i * rows + j] = x[j * columns + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}
void run(const float* x, float* y, int rows, int columns) {
  inner<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(x, y, rows, columns);
}
