__global__ void row_variance(const float* data, float* var, int batch, int dim) {
  int nthreads = blockDim.x * gridDim.x;
  for (int b = blockDim.x * blockIdx.x + threadIdx.x; b < batch; b += nthreads) {
    const float* row = &data[(size_t)b * dim];
    float mu = 0.f;
    for (int d = 0; d < dim; d++) mu += row[d];
    mu /= dim;
    float ss = 0.f;
    for (int d = 0; d < dim; d++) {
      float diff = row[d] - mu;
      ss += diff * diff;
    }
    var[b] = ss / dim;
  }
}

void variance(const float* data, float* var, int batch, int dim) {
  int block = 128;
  int grid = (batch + block - 1) / block;
  row_variance<<<grid, block>>>(data, var, batch, dim);
}
