//@case {"kernel": "scale", "rules": ["cuda-vectorize-threads", "cuda-fill-gpu"], "spec": {"launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float64", "shape": ["n"]}}, "outputs": {"y": {"dtype": "float64", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"y": "3 * x"}}}}
__global__ void scale(const double* x, double* y, const int n) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = 3.0 * x[i];
}

void run(const double* x, double* y, int n) { scale<<<16, 256>>>(x, y, n); }
