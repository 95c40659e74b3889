//@case {"kernel": "pad_turned", "rules": ["cuda-transpose-through-shared", "cuda-swap-thread-axes"], "spec": {"launch": {"arguments": ["x", "y", {"value": "rows", "dtype": "int32"}, {"value": "columns", "dtype": "int32"}, {"value": "filled", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["filled", "columns"]}, "y": {"dtype": "float32", "shape": ["columns", "rows"], "distribution": {"kind": "constant", "value": 0}}}, "outputs": {"y": {"dtype": "float32", "shape": ["columns", "rows"]}}, "shapes": [{"sizes": {"rows": 128, "columns": 96, "filled": 100}}, {"sizes": {"rows": 41, "columns": 37, "filled": 3}}], "reference": "baseline"}}
// Turned, all but the first row and column; rows that are not there are ones.
__global__ void pad_turned(const float* x, float* y, int rows, int columns, int filled) {
  const int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < columns && j < rows)
    y[i * rows + j] = j < filled ? x[j * columns + i] : 1.0f;
}

void run(const float* x, float* y, int rows, int columns, int filled) {
  dim3 block(32, 8);
  pad_turned<<<dim3((columns + 31) / 32, (rows + 7) / 8), block>>>(x, y, rows, columns, filled);
}
