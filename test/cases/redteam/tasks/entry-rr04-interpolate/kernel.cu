// A curve through knots that ascend, read off at many places; before the first and behind the last knot it is flat.
__global__ void interpolate(const float* at, const float* value, const float* query, float* out, int knots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q = query[i];
  if (q <= at[0]) {
    out[i] = value[0];
  } else if (q >= at[knots - 1]) {
    out[i] = value[knots - 1];
  } else {
    int k = 0;
    while (at[k + 1] <= q) ++k;
    float t = (q - at[k]) / (at[k + 1] - at[k]);
    out[i] = value[k] + t * (value[k + 1] - value[k]);
  }
}

void read_curve(const float* at, const float* value, const float* query, float* out, int knots, int n) {
  interpolate<<<(n + 63) / 64, 64>>>(at, value, query, out, knots, n);
}
