//@case {"kernel": "stats"}
__global__ void stats(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float peak = -INFINITY, norm = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float v = x[row * n + j];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    if (v > peak) {
      norm *= expf(peak - v);
      peak = v;
    }
    norm += expf(v - peak);
  }
  for (int j = 0; j < n; ++j) y[row * n + j] = expf(x[row * n + j] - peak) / norm;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024 globalStoreSectors=8192 globalStoreSectorsIdeal=1024
}

void run(const float* x, float* y, int rows, int n) { stats<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
