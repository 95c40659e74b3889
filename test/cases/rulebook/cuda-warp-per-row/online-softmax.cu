//@case {"kernel": "stats"}
__global__ void stats(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, d = 0.0f;
  for (int j = 0; j < n; ++j) {
    float v = x[row * n + j];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    float most = fmaxf(m, v);
    d = d * __expf(m - most) + __expf(v - most);
    m = most;
  }
  for (int j = 0; j < n; ++j) y[row * n + j] = __expf(x[row * n + j] - m) / d;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024 globalStoreSectors=8192 globalStoreSectorsIdeal=1024
}

void run(const float* x, float* y, int rows, int n) { stats<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
