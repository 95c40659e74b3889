//@case {"kernel": "prefix", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y"]}}}}
__global__ void prefix(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < i; k++) sum += x[k]; //@ instructions=9000
  y[i] = sum;
}
