//@case {"kernel": "spread"}
__global__ void spread(float* q, int rows, int half) {
  for (int h = threadIdx.x; h < rows; h += blockDim.x) {
    float* row = q + h * 2 * half;
    for (int d = 0; d < half; ++d)
      row[d] += row[d + half - 1];  //@ globalLoadSectors=33000 globalLoadSectorsIdeal=5000
  }
}
void run(float* q, int rows, int half) { spread<<<1, 64>>>(q, rows, half); }
