// task: entry-rr04-interpolate
// source: rr
// caught by: wrong values
// does: takes the knots as even, guesses the piece and goes at most 8 pieces from there; shows where many knots lie unevenly, and never with 2 knots

__global__ void interpolate(const float* at, const float* value, const float* query, float* out, int knots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q = query[i], low = at[0], high = at[knots - 1];
  if (q <= low) {
    out[i] = value[0];
  } else if (q >= high) {
    out[i] = value[knots - 1];
  } else {
    int k = min((int)((q - low) / (high - low) * (knots - 1)), knots - 2);
    for (int step = 0; step < 8; ++step) {
      if (at[k] > q) k = max(k - 1, 0);
      else if (at[k + 1] <= q) k = min(k + 1, knots - 2);
      else break;
    }
    float t = (q - at[k]) / (at[k + 1] - at[k]);
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    out[i] = value[k] + t * (value[k + 1] - value[k]);
  }
}

void read_curve(const float* at, const float* value, const float* query, float* out, int knots, int n) {
  interpolate<<<(n + 127) / 128, 128>>>(at, value, query, out, knots, n);
}
