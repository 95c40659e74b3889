//@case {"kernel": "sums", "spec": {"run": {"kind": "launch", "launch": {"grid": ["ceil_div(rows,128)"], "block": [128], "arguments": []}}}}
__global__ void sums(const float* m, float* s, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += m[row * columns + c]; //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096
  s[row] = sum;
}
