//@case {"kernel": "column_sums"}
// What blocks of the earlier kernel dealt out among themselves, each block of the later one walks over.
__global__ void squares(const float* x, float* y, int rows, int width) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int t = blockIdx.y; t < rows; t += gridDim.y) y[t * width + c] = x[t * width + c] * x[t * width + c];  //@ globalStoreRequests=600 globalStoreSectors=9000
}
__global__ void column_sums(const float* y, float* sums, int rows, int width) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  float sum = 0.0f;
  for (int t = 0; t < rows; t++) sum += y[t * width + c];  //@ globalLoadRequests=600 globalLoadSectors=9000
  sums[c] = sum;
}
void run(const float* x, float* y, float* sums, int rows, int width) {
  dim3 grid((width + 255) / 256, 16);
  squares<<<grid, 256>>>(x, y, rows, width);
  column_sums<<<grid, 256>>>(y, sums, rows, width);
}
