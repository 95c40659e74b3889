//@case {"kernel": "greatest"}
template <int KEEP>
__global__ void greatest(const float* x, float* out, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float kept[KEEP];
  #pragma unroll
  for (int i = 0; i < KEEP; ++i) kept[i] = -1e30f;
  for (int c = 0; c < n; ++c) {
    const float v = x[c * rows + row];
    if (v <= kept[KEEP - 1]) continue;
    int at = 0;
    while (at < KEEP && kept[at] >= v) at++;
    for (int m = KEEP - 1; m > at; --m) kept[m] = kept[m - 1];  //@ localRequests=81920
    kept[at] = v;
  }
  for (int i = 0; i < KEEP; ++i) out[i * rows + row] = kept[i];
}

void run(const float* x, float* out, int rows, int n) { greatest<5><<<(rows + 255) / 256, 256>>>(x, out, rows, n); }
