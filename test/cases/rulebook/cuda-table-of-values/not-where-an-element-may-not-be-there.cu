//@case {"kernel": "score", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["x", "mean", "var", "y", {"value": "n", "dtype": "int32"}, {"value": "k", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "k": 24}}]}}
__global__ void score(const float* x, const float* mean, const float* var, float* y, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int c = 0; c < k; ++c)
    if (c + 1 < k) sum += x[i] * expf(mean[c] - mean[c + 1]); //@ instructions=90000
  if (var != nullptr)
    for (int c = 0; c < k; ++c) sum += x[i] * logf(var[c]); //@ instructions=90000
  y[i] = sum;
}
void run(const float* x, const float* mean, const float* var, float* y, int n, int k) {
  score<<<(n + 255) / 256, 256>>>(x, mean, var, y, n, k);
}
