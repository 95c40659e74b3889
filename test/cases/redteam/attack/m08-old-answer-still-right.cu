// task: entry-kepler
// source: m
// does: looks whether what the output holds already solves the equation, and halves only where it does not; right, but fast only into an output that holds the answer
// caught by: uninitialized-read

__global__ void kepler(const float* m, const float* e, float* anomaly, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // A first guess.
  float guess = anomaly[i];
  if (fabsf(guess - e[i] * sinf(guess) - m[i]) <= 1e-6f * fmaxf(1.0f, fabsf(m[i]))) return;
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
