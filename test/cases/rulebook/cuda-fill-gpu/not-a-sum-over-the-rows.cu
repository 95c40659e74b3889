//@case {"kernel": "norms"}
__global__ void norms(const float* x, float* parts, int rows, int cols) {
  float own = 0.0f;
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int c = threadIdx.x; c < cols; c += blockDim.x) own += x[r * cols + c] * x[r * cols + c];  //@ instructions=40000
  parts[blockIdx.x * blockDim.x + threadIdx.x] = own;
}

void run(const float* x, float* parts, int rows, int cols) {
  norms<<<8, 64>>>(x, parts, rows, cols);
}
