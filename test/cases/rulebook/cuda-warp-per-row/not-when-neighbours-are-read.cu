//@case {"kernel": "smooth"}
__global__ void smooth(float* x, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 1; c < width; ++c)
    x[row * width + c] = 0.5f * (x[row * width + c] + x[row * width + c - 1]);  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
}

void run(float* x, int rows, int width) {
  smooth<<<(rows + 127) / 128, 128>>>(x, rows, width);
}
