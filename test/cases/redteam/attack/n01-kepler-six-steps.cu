// task: entry-kepler
// source: n
// does: takes so many Newton steps from the far end of the interval without keeping within it, which runs away where the anomaly lies beyond half a turn
// caught by: wrong values

__global__ void kepler(const float* m, const float* e, float* anomaly, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float mean = m[i], ratio = e[i];
  // The root lies between the mean anomaly and this end, and the function bends one way in between.
  float at = mean + copysignf(ratio, mean);
#pragma unroll
  for (int step = 0; step < 6; ++step) {
    float sine, cosine;
    sincosf(at, &sine, &cosine);
    at -= (at - ratio * sine - mean) / (1.0f - ratio * cosine);
  }
  anomaly[i] = at;
}

void anomalies(const float* m, const float* e, float* anomaly, int n) {
  kepler<<<(n + 127) / 128, 128>>>(m, e, anomaly, n);
}
