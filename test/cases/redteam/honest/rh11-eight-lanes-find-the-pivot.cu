// task: entry-ra09-solve
// does: eight lanes for a system find the pivot together, mark rows instead of exchanging them and clear the column in all other rows

__global__ void solve(const float* a, const float* b, float* x, int count) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, r = threadIdx.x % 8;
  bool inside = i < count;
  float m[9];
#pragma unroll
  for (int c = 0; c < 8; ++c) m[c] = inside ? a[(size_t)i * 64 + r * 8 + c] : float(c == r);
  m[8] = inside ? b[i * 8 + r] : 0.0f;
  int own = -1;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    // What is no number spoils all of the system anyway: it is taken first.
    float size = own >= 0 ? -1.0f : m[k] == m[k] ? fabsf(m[k]) : INFINITY;
    int lane = r;
    for (int step = 4; step; step /= 2) {
      float other = __shfl_xor_sync(~0u, size, step, 8);
      int at = __shfl_xor_sync(~0u, lane, step, 8);
      if (other > size || (other == size && at < lane)) {
        size = other;
        lane = at;
      }
    }
    // All eight agree, whatever the sizes were: the first one says it.
    lane = __shfl_sync(~0u, lane, 0, 8);
    float pivot = __shfl_sync(~0u, m[k], lane, 8);
    float f = r == lane ? 0.0f : m[k] / pivot;
    if (r == lane) own = k;
#pragma unroll
    for (int c = k; c < 9; ++c) {
      float other = __shfl_sync(~0u, m[c], lane, 8);
      m[c] -= f * other;
    }
  }
  float diagonal = m[0];
#pragma unroll
  for (int c = 1; c < 8; ++c)
    if (own == c) diagonal = m[c];
  if (inside && own >= 0) x[i * 8 + own] = m[8] / diagonal;
}

void solutions(const float* a, const float* b, float* x, int count) {
  solve<<<(count * 8 + 127) / 128, 128>>>(a, b, x, count);
}
