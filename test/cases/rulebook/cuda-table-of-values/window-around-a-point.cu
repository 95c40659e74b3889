//@case {"kernel": "smooth", "spec": {"run": {"kind": "launch", "launch": {"block": [32, 8], "arguments": ["x", "y", {"value": "n", "dtype": "int32"}, {"value": 8, "dtype": "int32"}, {"value": 2.5, "dtype": "float32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void smooth(const float* x, float* y, int n, int reach, float width) {
  const int i = (blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x;
  float sum = 0.f, all = 0.f;
  const float scale = 1.f / (width * width);
  for (int k = -reach; k <= reach; k++) {
    const float weight = expf(-0.5f * k * k * scale); //@ instructions=9000
    const int at = min(max(i + k, 0), n - 1);
    sum += weight * x[at];
    all += weight;
  }
  y[i] = sum / all;
}
