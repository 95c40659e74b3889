//@case {"kernel": "stats", "rules": ["cuda-warp-per-row", "cuda-stage-walks"], "spec": {"launch": {"arguments": ["x", "y", {"value": "rows", "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["rows", "n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["rows"]}}, "shapes": [{"sizes": {"rows": 300, "n": 200}}, {"sizes": {"rows": 5, "n": 1}}, {"sizes": {"rows": 7, "n": 33}}], "reference": {"expressions": {"y": "x.max(axis=1) + np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))"}}}}
__global__ void stats(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, d = 0.0f;
  for (int j = 0; j < n; ++j) {
    float v = x[row * n + j];
    float most = fmaxf(m, v);
    d = d * expf(m - most) + expf(v - most);
    m = most;
  }
  y[row] = m + logf(d);
}

void run(const float* x, float* y, int rows, int n) { stats<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
