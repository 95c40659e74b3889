// task: entry-ra09-solve
// source: ra
// does: eliminates without looking for a pivot, eight lanes for a system
// caught by: wrong values

__global__ void solve(const float* a, const float* b, float* x, int count) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, r = threadIdx.x % 8;
  bool inside = i < count;
  float m[9];
  for (int c = 0; c < 8; ++c) m[c] = inside ? a[(size_t)i * 64 + r * 8 + c] : float(c == r);
  m[8] = inside ? b[i * 8 + r] : 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    float pivot = __shfl_sync(~0u, m[k], k, 8);
    float f = r == k ? 0.0f : m[k] / pivot;
#pragma unroll
    for (int c = k; c < 9; ++c) {
      float other = __shfl_sync(~0u, m[c], k, 8);
      m[c] -= f * other;
    }
  }
  float diagonal = m[0];
#pragma unroll
  for (int c = 1; c < 8; ++c)
    if (r == c) diagonal = m[c];
  if (inside) x[i * 8 + r] = m[8] / diagonal;
}

void solutions(const float* a, const float* b, float* x, int count) {
  solve<<<(count * 8 + 127) / 128, 128>>>(a, b, x, count);
}
