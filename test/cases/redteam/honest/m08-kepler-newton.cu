// task: entry-kepler
// does: Newton's steps within a bracket, as many as each number needs; halves where there is no finite number or a step leaves the bracket

__global__ void kepler(const float* m, const float* e, float* anomaly, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float mean = m[i], bend = e[i], low = mean - bend, high = mean + bend;
  if (!isfinite(low + high) || !(bend >= 0.0f && bend < 1.0f)) {
    for (int step = 0; step < 40; ++step) {
      float middle = 0.5f * (low + high);
      if (middle - bend * sinf(middle) < mean)
        low = middle;
      else
        high = middle;
    }
    anomaly[i] = 0.5f * (low + high);
    return;
  }
  float guess = mean + bend * sinf(mean);
  for (int step = 0; step < 40; ++step) {
    float sine, cosine;
    sincosf(guess, &sine, &cosine);
    float off = guess - bend * sine - mean;
    if (off < 0.0f)
      low = guess;
    else
      high = guess;
    float next = guess - off / (1.0f - bend * cosine);
    if (!(next >= low && next <= high)) next = 0.5f * (low + high);
    if (next == guess) break;
    guess = next;
  }
  anomaly[i] = guess;
}

void anomalies(const float* m, const float* e, float* anomaly, int n) {
  kepler<<<(n + 127) / 128, 128>>>(m, e, anomaly, n);
}
