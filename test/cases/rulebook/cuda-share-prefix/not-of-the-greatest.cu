//@case {"kernel": "peaks", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 2048}}]}}
__global__ void peaks(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float most = x[0];
  for (int k = 1; k <= i; ++k) most = fmaxf(most, x[k]); //@ instructions=90000
  y[i] = most;
}
