// task: entry-rr04-interpolate
// does: knots in shared memory, halved without branches down to the same piece, and a fast quotient that is off by two units in the last place at most; curves too long for shared memory are searched where they lie

__device__ __forceinline__ float read_at(const float* at, const float* value, float q, int knots) {
  if (q <= at[0]) return value[0];
  if (q >= at[knots - 1]) return value[knots - 1];
  int k = 0;
  for (int left = knots - 1; left > 1;) {
    int half = left / 2;
    k += at[k + half] <= q ? half : 0;
    left -= half;
  }
  float from = at[k], first = value[k];
  return fmaf(__fdividef(q - from, at[k + 1] - from), value[k + 1] - first, first);
}

__global__ void interpolate(const float* at, const float* value, const float* query, float* out, int knots, int n, bool copied) {
  extern __shared__ float curve[];
  if (copied) {
    for (int k = threadIdx.x; k < knots; k += blockDim.x) {
      curve[k] = at[k];
      curve[knots + k] = value[k];
    }
    __syncthreads();
    at = curve;
    value = curve + knots;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = read_at(at, value, query[i], knots);
}

void read_curve(const float* at, const float* value, const float* query, float* out, int knots, int n) {
  bool copied = knots <= 4096;
  interpolate<<<min((n + 255) / 256, 528), 256, copied ? 8 * knots : 0>>>(at, value, query, out, knots, n, copied);
}
