//@case {"kernel": "until"}
__global__ void until(const float* x, float* y, int rows, int length) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.f;
  for (int i = 0; i < length; ++i) {
    float now = x[r * length + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
    if (now < 0.f) break;
    sum = 0.5f * sum + now;
    y[r * length + i] = sum; //@ globalStoreSectors=4096 globalStoreSectorsIdeal=512
  }
}
void run(const float* x, float* y, int rows, int length) { until<<<(rows + 127) / 128, 128>>>(x, y, rows, length); }
