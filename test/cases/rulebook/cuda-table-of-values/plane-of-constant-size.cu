//@case {"kernel": "soften", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y", {"value": "w", "dtype": "int32"}, {"value": "n", "dtype": "int32"}, {"value": 2.5, "dtype": "float32"}]}}, "shapes": [{"sizes": {"w": 512, "n": 4096}}]}}
// The function has no suffix, and its weight is used twice.
#define REACH 4
__global__ void soften(const float* x, float* y, int w, int n, float falloff) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.f, all = 0.f;
  for (int a = 0; a < 2 * REACH + 1; a++)
    for (int b = 0; b < 2 * REACH + 1; b++) {
      const float far = float((a - REACH) * (a - REACH) + (b - REACH) * (b - REACH));
      const float near = exp(-far * falloff); //@ instructions=9000
      sum += near * x[i + a * w + b];
      all += near;
    }
  y[i] = sum / all;
}
