//@case {"kernel": "project", "rules": ["cuda-tensor-product", "cuda-stage-product"], "spec": {"launch": {"arguments": ["x", "w", "b", "y", {"value": "m", "dtype": "int32"}, {"value": "n", "dtype": "int32"}, {"value": "k", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float16", "shape": ["m", "k"]}, "w": {"dtype": "float16", "shape": ["k", "n"]}, "b": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float16", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 83, "n": 80, "k": 64}}, {"sizes": {"m": 83, "n": 50, "k": 37}}, {"sizes": {"m": 83, "n": 1, "k": 1}}], "reference": "baseline"}}
#include <cuda_fp16.h>

__global__ void project(const half* x, const half* w, const float* b, half* y, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.f;
  if (row >= m || column >= n) return;
  for (int p = 0; p < k; p++) {
    float left = __half2float(x[row * k + p]);
    float right = (float)w[p * n + column];
    sum += left * right;
  }
  y[row * n + column] = __float2half(sum + b[column]);
}

void run(const half* x, const half* w, const float* b, half* y, int m, int n, int k) {
  dim3 block(16, 16);
  project<<<dim3((n + 15) / 16, (m + 15) / 16), block>>>(x, w, b, y, m, n, k);
}
