//@case {"kernel": "means", "rules": ["cuda-split-sum"], "spec": {"launch": {"arguments": ["x", "m", "s", {"value": "rows", "dtype": "int32"}, {"value": "columns", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["rows", "columns"]}}, "outputs": {"m": {"dtype": "float32", "shape": ["columns"]}, "s": {"dtype": "float32", "shape": ["columns"]}}, "shapes": [{"sizes": {"rows": 700, "columns": 200}}, {"sizes": {"rows": 33, "columns": 129}}, {"sizes": {"rows": 1, "columns": 1}}], "tolerance": {"absolute": 1e-4, "relative": 1e-4}, "reference": "baseline"}}
// Two sums of each column.
__global__ void means(const float* x, float* m, float* s, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, squares = 0;
  if (column >= columns) return;
  for (int row = 0; row < rows; row++) {
    float v = x[row * columns + column];
    sum += v;
    squares += v * v;
  }
  m[column] = sum / rows;
  s[column] = squares / rows;
}

void run(const float* x, float* m, float* s, int rows, int columns) {
  means<<<(columns + 127) / 128, 128>>>(x, m, s, rows, columns);
}
