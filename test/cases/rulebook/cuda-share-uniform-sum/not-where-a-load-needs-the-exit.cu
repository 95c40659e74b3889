//@case {"kernel": "centre", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y"]}}}}
__global__ void centre(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own = x[i];
  float mean = 0.f;
  for (int k = 0; k < n; k++) mean += x[k]; //@ instructions=9000
  y[i] = own - mean / n;
}
