//@case {"kernel": "smooth", "rules": ["cuda-carry-remainder", "cuda-compare-for-remainder", "cuda-reciprocal-of-divisor"], "spec": {"launch": {"arguments": ["x", "y", {"value": "rows", "dtype": "int32"}, {"value": "width", "dtype": "int32"}, {"value": "reach", "dtype": "int32"}], "grid": ["ceil_div(rows * width, 128)"], "block": [128]}, "inputs": {"x": {"dtype": "float32", "shape": ["rows", "width"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["rows", "width"]}}, "shapes": [{"sizes": {"rows": 30, "width": 100, "reach": 9}}, {"sizes": {"rows": 3, "width": 7, "reach": 7}}, {"sizes": {"rows": 2, "width": 1, "reach": 1}}], "reference": "baseline"}}
__global__ void smooth(const float* x, float* y, int rows, int width, int reach) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= rows * width) return;
  int row = t / width, column = t % width;
  float sum = 0.0f;
  for (int d = -reach; d <= reach; d += 2) {
    sum += x[row * width + (column + d + width) % width];
  }
  y[t] = sum;
}
