//@case {"kernel": "decay", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["y", {"value": "n", "dtype": "int32"}, {"value": "terms", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "terms": 64}}]}}
__global__ void decay(double* y, int n, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.;
  for (int k = 0; k < terms; ++k) sum += i * exp(-0.25 * k); //@ instructions=9000
  if (i < n) y[i] = sum;
}
