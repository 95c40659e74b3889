//@case {"kernel": "scale", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "arguments": ["x", "y"]}}}}
struct Range { float most; float total; };
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Range r = {0.f, 0.f};
  for (int k = 0; k < n; ++k) { //@ instructions=9000
    const float v = x[blockIdx.y * n + k];
    r.most = fmaxf(r.most, v);
    r.total += v;
  }
  y[blockIdx.y * n + i] = x[blockIdx.y * n + i] / r.most * r.total;
}
