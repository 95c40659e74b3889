//@case {"kernel": "decay", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["rate", "y", {"value": "n", "dtype": "int32"}, {"value": "terms", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "terms": 64}}]}}
__global__ void decay(const float* rate, float* y, int n, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n ? rate[i] : 0.f;
  float sum = 0.f;
  for (int k = 0; k < terms; ++k) sum += expf(-own * k); //@ instructions=9000
  for (int k = threadIdx.x; k < terms; k += 128) sum += expf(-0.1f * k); //@ instructions=9000
  if (i < n) y[i] = sum;
}
