//@case {"kernel": "variances"}
__global__ void variances(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float avg = 0.0f, sq = 0.0f, most = -1e30f;
    for (int j = 0; j < n; ++j) {
      float d = x[row * n + j] - avg;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
      avg += d / (j + 1);
      sq += d * (x[row * n + j] - avg);
      most = x[row * n + j] > most ? x[row * n + j] : most;
    }
    y[row] = sq / n + most;
  }
}

void run(const float* x, float* y, int rows, int n) { variances<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
