//@case {"kernel": "total"}
__global__ void total(const float* x, float* sums, int rows, int width) {
  for (int r = threadIdx.x; r < rows; r += 32) {
    float sum = 0.0f;
    for (int c = 0; c < width; ++c) sum += x[r * width + c];  //@ globalLoadSectors=33000 globalLoadSectorsIdeal=5000
    sums[r] = sum;
  }
}
void run(const float* x, float* sums, int rows, int width) { total<<<1, 64>>>(x, sums, rows, width); }
