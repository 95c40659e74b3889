//@case {"kernel": "normalize"}
__global__ void normalize(const float* x, float* y, float* lengths, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = &x[row * width];
  float squares = 0.0f;
  for (int c = 0; c < width; ++c) squares += from[c] * from[c];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
  if (squares > 0.0f)
    for (int c = 0; c < width; ++c)
      y[row * width + c] = from[c] * rsqrtf(squares);  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024 globalStoreSectors=8192 globalStoreSectorsIdeal=1024
  lengths[row] = sqrtf(squares);
}

void run(const float* x, float* y, float* lengths, int rows, int width) {
  normalize<<<(rows + 127) / 128, 128>>>(x, y, lengths, rows, width);
}
