//@case {"kernel": "cube", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y", {"value": "n", "dtype": "int32"}, {"value": 2.5, "dtype": "float32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void cube(const float* x, float* y, int n, float falloff) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int a = 0; a < 9; a++)
    for (int b = 0; b < 9; b++)
      for (int c = 0; c < 9; c++) sum += expf(-falloff * (a * a + b * b + c * c)) * x[i + (a * n + b) * n + c]; //@ instructions=9000
  y[i] = sum;
}
