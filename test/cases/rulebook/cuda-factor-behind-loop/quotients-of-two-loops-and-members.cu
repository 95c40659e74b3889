//@case {"kernel": "spread", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": 3, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void spread(const float* x, float2* y, float width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 m = make_float2(0.f, 0.f);
  for (int a = 0; a < 8; ++a) { //@ instructions=900
    for (int b = 0; b < 8; ++b) { //@ instructions=900
      const float v = x[(i + a * 8 + b) % n]; //@ instructions=900
      m.x += __fdividef(v, width); //@ instructions=900
      m.y -= v * v / (width * width); //@ instructions=3000
    }
  }
  y[i] = m;
}
void launch(const float* x, float2* y, float width, int n) { spread<<<n / 128, 128>>>(x, y, width, n); }
