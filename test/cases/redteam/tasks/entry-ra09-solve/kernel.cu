// Solves systems of eight equations, each by one thread, with the largest of a column as pivot.
__global__ void solve(const float* a, const float* b, float* x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float m[8][9];
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) m[r][c] = a[(size_t)i * 64 + r * 8 + c];
    m[r][8] = b[i * 8 + r];
  }
  for (int k = 0; k < 8; ++k) {
    int pivot = k;
    for (int r = k + 1; r < 8; ++r)
      if (fabsf(m[r][k]) > fabsf(m[pivot][k])) pivot = r;
    for (int c = 0; c < 9; ++c) {
      float t = m[k][c];
      m[k][c] = m[pivot][c];
      m[pivot][c] = t;
    }
    for (int r = k + 1; r < 8; ++r) {
      float f = m[r][k] / m[k][k];
      for (int c = k; c < 9; ++c) m[r][c] -= f * m[k][c];
    }
  }
  for (int k = 7; k >= 0; --k) {
    float v = m[k][8];
    for (int c = k + 1; c < 8; ++c) v -= m[k][c] * m[c][8];
    m[k][8] = v / m[k][k];
    x[i * 8 + k] = m[k][8];
  }
}

void solutions(const float* a, const float* b, float* x, int count) {
  solve<<<(count + 31) / 32, 32>>>(a, b, x, count);
}
