//@case {"kernel": "pairs", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 2048}}]}}
__global__ void pairs(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = x[i];
  float sum = 0.f;
  for (int k = 0; k < i; ++k) sum += fabsf(own - x[k]); //@ instructions=90000
  y[i] = sum;
}
