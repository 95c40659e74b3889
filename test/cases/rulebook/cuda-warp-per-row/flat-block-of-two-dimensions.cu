//@case {"kernel": "norms"}
__global__ void norms(const float* x, float* y, unsigned rows, unsigned n) {
  for (unsigned row = blockIdx.x * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x; row < rows;
       row += gridDim.x * blockDim.x * blockDim.y) {
    float sum = 0.0f;
    for (unsigned j = 0; j < n; j++) sum += fabsf(x[row * n + j]);  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    y[row] = sum;
  }
}

void run(const float* x, float* y, unsigned rows, unsigned n) {
  const dim3 block(32, 4);
  norms<<<(rows + 127) / 128, block>>>(x, y, rows, n);
}
