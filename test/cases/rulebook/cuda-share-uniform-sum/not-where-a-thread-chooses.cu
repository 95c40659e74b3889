//@case {"kernel": "chosen", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y"]}}}}
// The end of the walk is one number or the other, as each thread decides.
__global__ void chosen(const float* x, float* y, int n) {
  int end = n;
  if (threadIdx.x > 7) end = 1;
  float sum = 0.f;
  for (int k = 0; k < end; k++) sum += x[k]; //@ instructions=9000
  y[threadIdx.x] = sum;
}
