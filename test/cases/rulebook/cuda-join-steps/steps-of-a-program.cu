//@case {"kernel": "decay", "spec": {"program": {"file": "case.cu"}, "run": {"kind": "launch", "launch": {"block": [128], "arguments": ["x", {"value": "t", "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096, "t": 0}}, {"sizes": {"n": 4096, "t": 1}}]}}
__global__ void decay(float* x, int t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 1.0f - 0.1f * t;
}
void run(float* x, int n) {
  for (int t = 0; t < 8; ++t) decay<<<(n + 127) / 128, 128>>>(x, t, n);
}
