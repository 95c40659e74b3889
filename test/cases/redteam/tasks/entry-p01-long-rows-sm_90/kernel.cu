// The sum of each row.
__global__ void sums(const float* x, float* y, int width) {
  __shared__ float parts[128];
  const float* row = x + (size_t)blockIdx.x * width;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < width; i += 128) sum += row[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int i = 0; i < 128; ++i) total += parts[i];
    y[blockIdx.x] = total;
  }
}

void row_sums(const float* x, float* y, int rows, int width) {
  sums<<<rows, 128>>>(x, y, width);
}
