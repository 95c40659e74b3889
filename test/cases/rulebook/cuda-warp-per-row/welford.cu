//@case {"kernel": "standardize"}
__global__ void standardize(const float* x, float* y, int rows, int n, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float mean = 0.0f, m2 = 0.0f;
  int count = 0;
  for (int j = 0; j < n; ++j) {
    float v = x[row * n + j];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    count += 1;
    const float delta = v - mean;
    mean = mean + delta / count;
    m2 += (v - mean) * delta;
  }
  const float scale = rsqrtf(m2 / count + eps);
  for (int j = 0; j < n; ++j) y[row * n + j] = (x[row * n + j] - mean) * scale;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024 globalStoreSectors=8192 globalStoreSectorsIdeal=1024
}

void run(const float* x, float* y, int rows, int n) { standardize<<<(rows + 127) / 128, 128>>>(x, y, rows, n, 1e-5f); }
