//@case {"kernel": "score", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["x", "mean", "var", "y", {"value": "n", "dtype": "int32"}, {"value": "k", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "k": 24}}]}}
__device__ __constant__ float bias[32];
__global__ void score(const float* __restrict__ x, const float* mean, const float* var, float* y, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = -1e30f;
  for (int c = 0; c < k; ++c) {
    const float norm = bias[c] - 0.5f * logf(6.2831853f * var[c]); //@ instructions=90000
    float rough = 0.0f;
    for (int d = 0; d < 4; ++d) rough += logf(var[c * 4 + d]); //@ instructions=90000
    const float far = x[i] - mean[c];
    best = fmaxf(best, norm + rough - far * far / var[c]);
  }
  y[i] = best;
}
void run(const float* x, const float* mean, const float* var, float* y, int n, int k) {
  score<<<(n + 255) / 256, 256>>>(x, mean, var, y, n, k);
}
