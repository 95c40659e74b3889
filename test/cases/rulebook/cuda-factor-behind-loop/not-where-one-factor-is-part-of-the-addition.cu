//@case {"kernel": "axpys", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": 3, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void axpys(const float* x, float* y, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) sum += scale * x[(i + k) % n]; //@ instructions=9000
  y[i] = sum;
}
void launch(const float* x, float* y, float scale, int n) { axpys<<<n / 128, 128>>>(x, y, scale, n); }
