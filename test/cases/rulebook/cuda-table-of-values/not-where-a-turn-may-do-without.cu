//@case {"kernel": "gather", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["mask", "y", {"value": "n", "dtype": "int32"}, {"value": "terms", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "terms": 64}}]}}
__global__ void gather(const int* mask, float* y, int n, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < terms; ++k)
    if (mask[k] == i) sum += expf(-0.1f * k); //@ instructions=9000
  if (i < n) y[i] = sum;
}
