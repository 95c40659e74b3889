//@case {"kernel": "clampit", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"y": "np.clip(x, -1, 1)"}}}}
static inline int blocks_of(int n, int b) { return (n + b - 1) / b; }

__global__ void clampit(const float *x, float *y, int n) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < n) {
    float v = __ldg(&x[i]);
    if (v < -1.f) v = -1.f;
    y[i] = fminf(v, 1.f);
  }
}

void launch(const float *x, float *y, int n, int block) {
  clampit<<<(n + block - 1) / block, block>>>(x, y, n);
}

void run(const float *x, float *y, int n) { launch(x, y, n, 256); }
