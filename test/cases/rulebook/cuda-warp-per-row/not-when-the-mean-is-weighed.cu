//@case {"kernel": "averages"}
__global__ void averages(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float mean = 0.0f, m2 = 0.0f;
  for (int j = 0; j < n; ++j) {
    float v = x[row * n + j];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    float delta = v - mean;
    mean += 0.1f * delta;
    m2 += delta * (v - mean);
  }
  y[row] = m2 + mean;
}

void run(const float* x, float* y, int rows, int n) { averages<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
