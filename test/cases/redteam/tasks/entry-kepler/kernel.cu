// Solves E - e sin E = M by halving.
__global__ void kepler(const float* m, const float* e, float* anomaly, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float low = m[i] - e[i], high = m[i] + e[i];
  for (int step = 0; step < 40; ++step) {
    float middle = 0.5f * (low + high);
    if (middle - e[i] * sinf(middle) < m[i])
      low = middle;
    else
      high = middle;
  }
  anomaly[i] = 0.5f * (low + high);
}

void anomalies(const float* m, const float* e, float* anomaly, int n) {
  kepler<<<(n + 127) / 128, 128>>>(m, e, anomaly, n);
}
